public import Events
internal import JSON

/// Where devices were during a time, as few bytes: the answer of `GET /v1/sites/{site}/replay`.
///
/// Each device has one track, a list of whole numbers. Four belong to one position. They are tenths
/// of a second, millionths of a degree of latitude and of longitude, and decimetres of `radius68`.
/// Each is the difference to the position before. The first is the difference to `from`, to
/// `origin` and to 0. A lost position stays where the one before was.
///
/// `places` of a device has two numbers by turns: that of a position, and that of a place. From that
/// position on the device is at the place.
public struct ReplayAnswer: Sendable {
    private static let unitsOfDegree = 1e6
    private static let microsecondsOfTenth: Int64 = 100_000
    private static let mostMetres = 1e6
    /// Bytes of an ordinary position, and of a device besides.
    private static let (positionBytes, deviceBytes) = (14, 64)

    private struct Place: Hashable {
        var building: BuildingID?
        var floor: FloorID?
        var room: RoomID?
        var state: PositionEstimated.State
    }

    private struct Step {
        var tenths: Int64 = 0
        var latitude: Int64 = 0
        var longitude: Int64 = 0
        var decimetres: Int64 = 0
    }

    private struct Track {
        var last = Step()
        var steps: [Step] = []
        var places: [(step: Int, place: Int)] = []

        /// Adds the difference between the position before and the next one.
        mutating func add(
            _ position: PositionEstimated, _ from: Timestamp,
            origin: (latitude: Double, longitude: Double), at place: Int
        ) {
            var now = last
            now.tenths = (position.at - from) / microsecondsOfTenth
            if let latitude = position.latitude, let longitude = position.longitude {
                now.latitude = Int64((latitude * unitsOfDegree).rounded() - origin.latitude)
                now.longitude = Int64((longitude * unitsOfDegree).rounded() - origin.longitude)
            }
            if let radius = position.radius68 {
                now.decimetres = Int64((min(radius, mostMetres) * 10).rounded())
            }
            if places.last?.place != place { places.append((steps.count, place)) }
            steps.append(
                Step(
                    tenths: now.tenths - last.tenths, latitude: now.latitude - last.latitude,
                    longitude: now.longitude - last.longitude,
                    decimetres: now.decimetres - last.decimetres))
            last = now
        }
    }

    private let from: Timestamp
    private let until: Timestamp
    private let positions: [PositionEstimated]

    /// - Parameters:
    ///   - until: the time before which the positions are all that there are.
    ///   - positions: in the order of time.
    public init(from: Timestamp, until: Timestamp, positions: [PositionEstimated]) {
        self.from = from
        self.until = until
        self.positions = positions
    }

    public var json: [UInt8] {
        let first = positions.first { $0.latitude != nil && $0.longitude != nil }
        let latitude = ((first?.latitude ?? 0) * Self.unitsOfDegree).rounded()
        let longitude = ((first?.longitude ?? 0) * Self.unitsOfDegree).rounded()
        let (tracks, places) = tracks(fromLatitude: latitude, longitude: longitude)
        var writer = JSONWriter(
            capacity: 256 + positions.count * Self.positionBytes + tracks.count * Self.deviceBytes)
        writer.beginObject()
        writer.field("from", from.text)
        writer.field("until", until.text)
        writer.field("positions", positions.count)
        writer.name("origin")
        writer.beginObject()
        writer.field("latitude", latitude / Self.unitsOfDegree, decimals: 6)
        writer.field("longitude", longitude / Self.unitsOfDegree, decimals: 6)
        writer.endObject()
        writer.name("places")
        writer.beginArray()
        for place in places { Self.write(place, to: &writer) }
        writer.endArray()
        writer.name("devices")
        writer.beginArray()
        for (device, track) in tracks.sorted(by: { $0.key < $1.key }) {
            Self.write(device, track, to: &writer)
        }
        writer.endArray()
        writer.endObject()
        return writer.finish()
    }

    private func tracks(
        fromLatitude latitude: Double, longitude: Double
    ) -> ([DeviceID: Track], [Place]) {
        var tracks: [DeviceID: Track] = [:]
        var numbers: [Place: Int] = [:]
        var places: [Place] = []
        for position in positions {
            let place = Place(
                building: position.building, floor: position.floor, room: position.room,
                state: position.state)
            let number = numbers[place] ?? places.count
            if number == places.count {
                numbers[place] = number
                places.append(place)
            }
            tracks[position.device, default: Track()].add(
                position, from, origin: (latitude, longitude), at: number)
        }
        return (tracks, places)
    }

    private static func write(_ place: Place, to writer: inout JSONWriter) {
        writer.beginObject()
        if let building = place.building { writer.field("building", building.text) }
        if let floor = place.floor { writer.field("floor", floor.text) }
        if let room = place.room { writer.field("room", room.text) }
        writer.field("state", place.state.rawValue)
        writer.endObject()
    }

    private static func write(
        _ device: DeviceID, _ track: Track, to writer: inout JSONWriter
    ) {
        writer.beginObject()
        writer.field("device", device.text)
        writer.name("track")
        writer.beginArray()
        for step in track.steps {
            writer.integer(step.tenths)
            writer.integer(step.latitude)
            writer.integer(step.longitude)
            writer.integer(step.decimetres)
        }
        writer.endArray()
        writer.name("places")
        writer.beginArray()
        for (step, place) in track.places {
            writer.integer(step)
            writer.integer(place)
        }
        writer.endArray()
        writer.endObject()
    }
}
