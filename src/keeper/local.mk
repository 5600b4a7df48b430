# The keeper program: libc only, so it links nothing of libbase but headers.
