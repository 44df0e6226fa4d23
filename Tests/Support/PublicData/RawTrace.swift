import Archive

/// The sensor readings of a phone on one walk of the MS indoor set's `traces`. Each line has a time
/// in milliseconds, a `TYPE_...` and values, separated by tabs.
public struct RawTrace: Sendable {
    /// Three axes in the sensor's unit.
    public struct Sample: Sendable {
        public var atMilliseconds: Int64
        public var x: Double
        public var y: Double
        public var z: Double
    }

    /// A position in metres that the walker tapped when passing it.
    public struct Waypoint: Sendable {
        public var atMilliseconds: Int64
        public var x: Double
        public var y: Double
    }

    /// The trace's name with its floor first, such as `F1-5dd9e7aa`.
    public var name: String
    public var accelerometer: [Sample] = []
    public var magneticField: [Sample] = []
    public var waypoints: [Waypoint] = []

    public var floor: String { String(name.prefix { $0 != "-" }) }

    /// The length in metres along the waypoints.
    public var lengthMetres: Double {
        zip(waypoints, waypoints.dropFirst()).reduce(0) { length, pair in
            let (x, y) = (pair.1.x - pair.0.x, pair.1.y - pair.0.y)
            return length + (x * x + y * y).squareRoot()
        }
    }

    /// All traces, sorted by name. Nil, with a printed note, where the set is absent.
    public static func all() throws -> [RawTrace]? {
        guard let path = SharedData.path("ms-indoor-site1/traces") else { return nil }
        var traces: [RawTrace] = []
        try ArchiveReader(path: path).forEachEntry { entry, bytes in
            var trace = RawTrace(name: String(entry.name.prefix(11)))
            for line in bytes.split(separator: UInt8(ascii: "\n")) { trace.parse(line) }
            traces.append(trace)
        }
        return traces.sorted { $0.name < $1.name }
    }

    private mutating func parse(_ line: ArraySlice<UInt8>) {
        let fields = line.split(separator: UInt8(ascii: "\t")).map {
            String(decoding: $0, as: UTF8.self)
        }
        guard fields.count >= 4, let at = Int64(fields[0]), let x = Double(fields[2]),
            let y = Double(fields[3])
        else { return }
        switch fields[1] {
        case "TYPE_WAYPOINT": waypoints.append(Waypoint(atMilliseconds: at, x: x, y: y))
        case "TYPE_ACCELEROMETER", "TYPE_MAGNETIC_FIELD":
            guard fields.count >= 5, let z = Double(fields[4]) else { return }
            let sample = Sample(atMilliseconds: at, x: x, y: y, z: z)
            if fields[1] == "TYPE_ACCELEROMETER" {
                accelerometer.append(sample)
            } else {
                magneticField.append(sample)
            }
        default: return
        }
    }
}
