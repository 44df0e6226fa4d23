import CICal

/// A date or a time as it stands in a feed, with its zone still by name.
struct ReadTime: Hashable {
    var wall: WallSeconds
    var isDate: Bool
    var isUTC: Bool
    var zoneName: String?

    init(_ time: icaltimetype, zoneName: String? = nil) {
        let date = CivilDate(
            year: Int(time.year), month: Int(time.month), day: Int(time.day))
        isDate = time.is_date != 0
        isUTC = !isDate && icaltime_is_utc(time) != 0
        let second = Int(time.hour) * 3_600 + Int(time.minute) * 60 + min(Int(time.second), 59)
        wall = Int64(date.dayNumber) * 86_400 + (isDate ? 0 : Int64(second))
        self.zoneName = isDate || isUTC ? nil : zoneName
    }

    /// Nil for a time that no clock shows, such as the 40th of May.
    static func valid(_ time: icaltimetype, zoneName: String?) -> ReadTime? {
        guard icaltime_is_null_time(time) == 0, (1...9_999).contains(time.year),
            (1...12).contains(time.month),
            (1...CivilDate.days(inMonth: Int(time.month), of: Int(time.year))).contains(
                Int(time.day)),
            time.is_date != 0
                || ((0...23).contains(time.hour) && (0...59).contains(time.minute)
                    && (0...60).contains(time.second))
        else { return nil }
        return ReadTime(time, zoneName: zoneName)
    }
}
