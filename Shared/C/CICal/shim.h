#pragma once
#include <libical/ical.h>

// The lists of a rule as pointers. Swift would see each as a tuple of up to 386 members.
typedef const struct icalrecurrencetype *RulePointer;

static inline const short *ruleSeconds(RulePointer rule) { return rule->by_second; }
static inline const short *ruleMinutes(RulePointer rule) { return rule->by_minute; }
static inline const short *ruleHours(RulePointer rule) { return rule->by_hour; }
static inline const short *ruleDays(RulePointer rule) { return rule->by_day; }
static inline const short *ruleMonthDays(RulePointer rule) { return rule->by_month_day; }
static inline const short *ruleYearDays(RulePointer rule) { return rule->by_year_day; }
static inline const short *ruleWeeks(RulePointer rule) { return rule->by_week_no; }
static inline const short *ruleMonths(RulePointer rule) { return rule->by_month; }
static inline const short *rulePositions(RulePointer rule) { return rule->by_set_pos; }
static inline struct icalrecurrencetype ruleOf(const icalproperty *property) {
    return icalvalue_get_recur(icalproperty_get_value(property));
}
