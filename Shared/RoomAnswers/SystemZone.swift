import Events
import Foundation
import Site
import TimetablePictures

extension ZoneOffsets {
    /// The offsets of a zone in a period, from the system's tables; UTC for an unknown name.
    init(system name: String, in period: Range<Timestamp>) {
        let zone = TimeZone(identifier: name) ?? .gmt
        var changes: [Change] = []
        let end = Date(period.upperBound)
        var next = Date(period.lowerBound)
        // No zone changes more often than some times a year.
        while changes.count < 64, let change = zone.nextDaylightSavingTimeTransition(after: next),
            change <= end
        {
            let seconds = change.timeIntervalSince1970.rounded()
            changes.append(
                Change(
                    at: Timestamp(milliseconds: Int64(seconds) * 1_000),
                    offsetSeconds: zone.secondsFromGMT(for: change)))
            next = change
        }
        self.init(
            name: zone.identifier,
            firstOffsetSeconds: zone.secondsFromGMT(for: Date(period.lowerBound)),
            changes: changes)
    }
}

extension Date {
    fileprivate init(_ moment: Timestamp) {
        self.init(timeIntervalSince1970: Double(moment.milliseconds) / 1_000)
    }
}

extension SiteIndex {
    /// The IANA zone of the building of a room.
    func timeZone(of room: RoomRecord) -> String {
        let building = floor(room.floor).flatMap { self.building($0.building) }
        return building?.timeZone ?? document.buildings.first?.timeZone ?? "UTC"
    }
}
