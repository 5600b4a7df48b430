# doc
EXTRA_DIST += %D%/HACKING.md %D%/PROTOCOL.md
dist_man_MANS += %D%/bellhop.1
