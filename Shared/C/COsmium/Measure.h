#pragma once
#include <string>

#include "COsmium.h"

namespace cosmium {

/// Something wrong with a file, as one of the codes of COsmium.h.
struct Failure {
    int code;
    std::string detail;
};

/// Unpacks the file once without keeping it and gives the name that libosmium has for its format.
///
/// libosmium has no limit to what a file may unpack to, and a few kilobytes may claim terabytes.
/// Throws Failure.
std::string measure(const char *path, const cosmium_limits &limits);

}  // namespace cosmium
