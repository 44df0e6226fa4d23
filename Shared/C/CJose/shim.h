#pragma once
#include <cjose/cjose.h>
#include <stdlib.h>
