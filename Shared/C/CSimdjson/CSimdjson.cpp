#include "CSimdjson.h"
#include <simdjson.h>

extern "C" const char *csimdjson_version(void) {
    return SIMDJSON_STRINGIFY(SIMDJSON_VERSION);
}
