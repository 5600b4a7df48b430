# doc
EXTRA_DIST += %D%/ARCHITECTURE.md %D%/HACKING.md %D%/PROTOCOL.md %D%/TERMINAL.md
dist_man_MANS += %D%/bellhop.1 %D%/bellhop.5
