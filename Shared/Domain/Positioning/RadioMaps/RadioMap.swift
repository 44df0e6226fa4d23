public import Events
public import Geometry

/// The surveys of a site, laid out for positioning. Each survey is one fingerprint; columns lie
/// side by side, and readings are in compressed sparse rows.
///
/// It names floors, rooms and places by id, so that it is complete without the site. Indices point
/// into its own lists. Equal surveys on an equal site give an equal map.
public struct RadioMap: Hashable, Sendable {
    /// A place that was surveyed at least once.
    public struct Place: Hashable, Sendable {
        /// The location's id, or the coordinates in metres with one decimal, such as `12.0,3.5`.
        public var name: String
        /// An index into `floors`.
        public var floor: Int32

        public init(name: String, floor: Int32) {
            self.name = name
            self.floor = floor
        }
    }

    /// One survey of the radio map.
    public struct Fingerprint: Hashable, Sendable {
        public var survey: EventID
        public var point: Point
        /// An index into `floors`.
        public var floor: Int32
        /// An index into `rooms`; -1 outside of every room.
        public var room: Int32
        /// An index into `places`.
        public var place: Int32
        /// The number of the walk. Surveys of one scanner with no gap over
        /// `RadioMapBuilder.walkGapSeconds` are one walk. A self-test leaves out a walk as one.
        public var walk: Int32
        /// The number of the scanner that made the survey. Scanners receive differently, so a
        /// self-test learns from some and tests on others.
        public var scanner: Int32

        public init(
            survey: EventID, point: Point, floor: Int32, room: Int32, place: Int32, walk: Int32,
            scanner: Int32 = 0
        ) {
            self.survey = survey
            self.point = point
            self.floor = floor
            self.room = room
            self.place = place
            self.walk = walk
            self.scanner = scanner
        }
    }

    /// Ascending, without duplicates.
    public var transmitters: [Transmitter]
    /// Ascending, without duplicates.
    public var floors: [FloorID]
    /// Ascending, without duplicates.
    public var rooms: [RoomID]
    /// Ordered by floor and name, without duplicates.
    public var places: [Place]
    /// Ordered by survey id.
    public var fingerprints: [Fingerprint]
    /// One element more than fingerprints. Fingerprint `f` has the readings from `readingStart[f]`
    /// up to `readingStart[f + 1]`.
    public var readingStart: [Int32]
    /// Indices into `transmitters`, ascending within a fingerprint.
    public var readingTransmitter: [Int32]
    /// dBm.
    public var readingRSSI: [Int8]

    /// The largest size of a coordinate, in metres. It is the limit of surveys too.
    static let farthestMetres = 1e6

    public static let empty = RadioMap(
        transmitters: [], floors: [], rooms: [], places: [], fingerprints: [], readingStart: [0],
        readingTransmitter: [], readingRSSI: [])

    /// Makes a map of these columns without checks; `fault` checks whether they fit together.
    public init(
        transmitters: [Transmitter], floors: [FloorID], rooms: [RoomID], places: [Place],
        fingerprints: [Fingerprint], readingStart: [Int32], readingTransmitter: [Int32],
        readingRSSI: [Int8]
    ) {
        self.transmitters = transmitters
        self.floors = floors
        self.rooms = rooms
        self.places = places
        self.fingerprints = fingerprints
        self.readingStart = readingStart
        self.readingTransmitter = readingTransmitter
        self.readingRSSI = readingRSSI
    }

    /// The range of a fingerprint's readings in the reading columns.
    public func readings(of fingerprint: Int) -> Range<Int> {
        Int(readingStart[fingerprint])..<Int(readingStart[fingerprint + 1])
    }

    /// The first inconsistency, as text; nil for a sound map. Code that reads a map from outside
    /// must check this before a positioner uses it.
    public var fault: String? {
        guard isAscending(transmitters) else { return "transmitters are not ascending" }
        guard isAscending(floors) else { return "floors are not ascending" }
        guard isAscending(rooms) else { return "rooms are not ascending" }
        guard readingStart.count == fingerprints.count + 1, readingStart.first == 0,
            Int(readingStart[fingerprints.count]) == readingTransmitter.count,
            readingTransmitter.count == readingRSSI.count
        else { return "reading columns have different lengths" }
        guard places.allSatisfy({ floors.indices.contains(Int($0.floor)) }) else {
            return "a place has no floor of the map"
        }
        for (index, fingerprint) in fingerprints.enumerated() {
            if let fault = fault(of: fingerprint, at: index) {
                return "fingerprint \(index): \(fault)"
            }
        }
        return nil
    }

    private func fault(of fingerprint: Fingerprint, at index: Int) -> String? {
        let (x, y) = (fingerprint.point.x, fingerprint.point.y)
        guard abs(x) <= Self.farthestMetres, abs(y) <= Self.farthestMetres else {
            return "coordinates are beyond 1,000 km"
        }
        guard floors.indices.contains(Int(fingerprint.floor)) else {
            return "its floor is not in the map"
        }
        guard fingerprint.room == -1 || rooms.indices.contains(Int(fingerprint.room)) else {
            return "its room is not in the map"
        }
        guard places.indices.contains(Int(fingerprint.place)) else {
            return "its place is not in the map"
        }
        guard fingerprint.walk >= 0, fingerprint.scanner >= 0 else {
            return "its walk or scanner is negative"
        }
        let (start, end) = (readingStart[index], readingStart[index + 1])
        guard start >= 0, start <= end, Int(end) <= readingTransmitter.count else {
            return "its readings overlap those of others"
        }
        var previous: Int32 = -1
        for position in Int(start)..<Int(end) {
            let transmitter = readingTransmitter[position]
            guard transmitter > previous, Int(transmitter) < transmitters.count else {
                return "transmitters are not ascending"
            }
            guard readingRSSI[position] <= 0 else { return "a reading is above 0 dBm" }
            previous = transmitter
        }
        return nil
    }

    private func isAscending(_ values: [some Comparable]) -> Bool {
        zip(values, values.dropFirst()).allSatisfy { $0 < $1 }
    }
}
