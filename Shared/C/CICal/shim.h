#pragma once
#include <libical/ical.h>

// The lists of a rule as pointers. Swift would see each as a tuple of up to 386 members.
static inline const short *ruleSeconds(const struct icalrecurrencetype *rule) { return rule->by_second; }
static inline const short *ruleMinutes(const struct icalrecurrencetype *rule) { return rule->by_minute; }
static inline const short *ruleHours(const struct icalrecurrencetype *rule) { return rule->by_hour; }
static inline const short *ruleDays(const struct icalrecurrencetype *rule) { return rule->by_day; }
static inline const short *ruleMonthDays(const struct icalrecurrencetype *rule) { return rule->by_month_day; }
static inline const short *ruleYearDays(const struct icalrecurrencetype *rule) { return rule->by_year_day; }
static inline const short *ruleWeeks(const struct icalrecurrencetype *rule) { return rule->by_week_no; }
static inline const short *ruleMonths(const struct icalrecurrencetype *rule) { return rule->by_month; }
static inline const short *rulePositions(const struct icalrecurrencetype *rule) { return rule->by_set_pos; }
static inline struct icalrecurrencetype ruleOf(const icalproperty *property) {
    return icalvalue_get_recur(icalproperty_get_value(property));
}
