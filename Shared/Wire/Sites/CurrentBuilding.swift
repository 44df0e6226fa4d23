public import Devices
import Events
import JSON

/// The answer of `GET /v1/sites/{site}/current-building`.
///
/// Its `state` is all that the server knows of the device. The asker sends it back with the next
/// point: `LAST~BUILDING`, and `~SINCE~OTHER` while a change has not lasted long enough. Times are
/// microseconds since 1970, and a building without a name is the outdoors.
public enum CurrentBuilding {
    /// The end of the year 9999, in microseconds.
    private static let latest: Int64 = 253_402_300_799_999_999

    /// - Parameter version: the version of the site.
    public static func json(version: Int, _ dwell: BuildingDwell) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.field("version", version)
        writer.nullable("building", dwell.building?.text)
        writer.field("state", state(dwell))
        writer.endObject()
        return writer.finish()
    }

    public static func state(_ dwell: BuildingDwell) -> String {
        let known = "\(dwell.last.microseconds)~\(dwell.building?.text ?? "")"
        guard let change = dwell.change else { return known }
        return "\(known)~\(change.since.microseconds)~\(change.building?.text ?? "")"
    }

    /// Nil for a text that is no state.
    public static func dwell(state: String) -> BuildingDwell? {
        guard state.utf8.count <= 256 else { return nil }
        let parts = state.split(separator: "~", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 4, let last = time(parts[0]),
            let building = Self.building(parts[1])
        else { return nil }
        guard parts.count == 4 else { return BuildingDwell(building: building.id, last: last) }
        guard let since = time(parts[2]), let other = Self.building(parts[3]) else { return nil }
        return BuildingDwell(
            building: building.id, change: BuildingDwell.Change(to: other.id, since: since),
            last: last)
    }

    private static func time(_ text: Substring) -> Timestamp? {
        guard let microseconds = Int64(text), (0...latest).contains(microseconds) else {
            return nil
        }
        return Timestamp(microseconds: microseconds)
    }

    /// The building, or none for the outdoors; nil for a text that is no id.
    private static func building(_ text: Substring) -> (id: BuildingID?, Void)? {
        if text.isEmpty { return (nil, ()) }
        guard let id = BuildingID(validating: String(text)) else { return nil }
        return (id, ())
    }
}
