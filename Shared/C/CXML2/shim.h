#pragma once
#include <libxml/HTMLparser.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>

// libxml2 reports errors to stderr unless it is given a function.
static inline void ignoreError(void *context, xmlErrorPtr error) { (void)context; (void)error; }
static inline void freeText(xmlChar *text) { xmlFree(text); }
