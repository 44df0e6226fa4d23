#pragma once
// Swift can use neither macros with arguments nor functions with variable ones.
#include <seccomp.h>
#include <stdint.h>
#include <sys/prctl.h>

static inline uint32_t refuseWith(int code) { return SCMP_ACT_ERRNO(code); }
static inline uint32_t allowAll(void) { return SCMP_ACT_ALLOW; }

// 0, or -1 with errno.
static inline int forbidReadingOurMemory(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
static inline int isMemoryReadable(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0); }
