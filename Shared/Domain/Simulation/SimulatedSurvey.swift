public import Events

/// The surveys of one person who stands on every point of a grid on every storey, with a scan every
/// 4 s. On the usual grid of 2 m there is one scan in each of four directions. The device has an
/// offset of its own.
public struct SimulatedSurvey: Sequence, IteratorProtocol, Sendable {
    /// The points where the person stands.
    public struct Grid: Hashable, Sendable {
        public static let usual = Grid(
            metres: 2, scansPerPoint: 4, x: FloorPlan.houseX, y: FloorPlan.houseY)
        /// One scan each half metre, in turn in each of four directions. Its 2,400 points are in
        /// the two labs and the corridor at the south-western corner.
        public static let dense = Grid(metres: 0.5, scansPerPoint: 1, x: 0...16, y: 0...12.5)

        let metres: Double
        let scansPerPoint: Int
        /// Metres in the site's frame.
        let x: ClosedRange<Double>
        let y: ClosedRange<Double>

        /// Whether the grid covers the place, on any storey.
        public func covers(x: Double, y: Double) -> Bool {
            self.x.contains(x) && self.y.contains(y)
        }
    }

    static let scanPeriodSeconds = 4.0
    private static let directions = 4

    private let building: SimulatedBuilding
    private let device: DeviceID
    private let start: Timestamp
    private let scansPerPoint: Int
    private let points: [(storey: Int, point: PlanPoint)]
    private var random: SimulationRandom
    private var receiver: SimulatedReceiver
    private var made = 0

    /// - Parameter noiseSigma: the standard deviation of the noise over time, in dB.
    public init(
        of building: SimulatedBuilding, seed: UInt64, device: DeviceID = DeviceID("surveyor"),
        start: Timestamp, noiseSigma: Double = 4, on grid: Grid = .usual
    ) {
        self.building = building
        self.device = device
        self.start = start
        scansPerPoint = grid.scansPerPoint
        points = Self.points(of: grid, in: building.plan)
        random = SimulationRandom(seed: seed, part: 2)
        receiver = SimulatedReceiver(noiseSigma: noiseSigma, random: &random)
    }

    public var count: Int { points.count * scansPerPoint }

    /// The time of the last survey.
    public var end: Timestamp {
        start.advanced(byMicroseconds: Int64(Double(count) * Self.scanPeriodSeconds * 1e6))
    }

    public mutating func next() -> SurveyRecorded? {
        let index = made / scansPerPoint
        guard index < points.count else { return nil }
        let (storey, point) = points[index]
        let heading = Double(made % Self.directions) * Double.pi / 2
        let seconds = Double(made) * Self.scanPeriodSeconds
        made += 1
        let place = PlacedDevice(
            x: point.x, y: point.y,
            z: Double(storey) * RadioModel.storeyMetres + RadioModel.deviceHeightMetres,
            heading: heading)
        let wifi = receiver.scan(at: place, seconds: seconds, in: building, random: &random)
        let at = start.advanced(byMicroseconds: Int64(seconds * 1e6))
        let scan = ScanRecorded(
            id: EventID(
                millisecondsSinceEpoch: at.milliseconds, random: random.next(), random.next()),
            site: building.site, device: device, scanner: ScannerID(device.text), at: at,
            sentAt: at, receivedAt: at, wifi: wifi)
        return SurveyRecorded(
            scan: scan,
            place: .metres(floor: SimulatedBuilding.floor(storey), x: point.x, y: point.y))
    }

    /// The points of the grid. They lie half a step from its edges, so that none is on an outer
    /// wall.
    private static func points(
        of grid: Grid, in plan: FloorPlan
    ) -> [(storey: Int, point: PlanPoint)] {
        func line(_ range: ClosedRange<Double>) -> [Double] {
            Array(
                stride(
                    from: range.lowerBound + grid.metres / 2, to: range.upperBound, by: grid.metres)
            )
        }
        return (0..<SimulatedBuilding.storeys).flatMap { storey in
            line(grid.y).flatMap { y in
                line(grid.x).compactMap { x in
                    let point = PlanPoint(x: x, y: y)
                    return plan.room(at: point) == nil ? nil : (storey, point)
                }
            }
        }
    }
}
