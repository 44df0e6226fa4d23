#pragma once
#ifdef __cplusplus
extern "C" {
#endif
/// Version text of the simdjson that this was built against.
const char *csimdjson_version(void);
#ifdef __cplusplus
}
#endif
