public import Events

/// The surveys of one person who stands on every point of a 2 m grid on every storey. There is one
/// scan in each of four directions, every 4 s. The device has an offset of its own.
public struct SimulatedSurvey: Sequence, IteratorProtocol, Sendable {
    static let gridMetres = 2.0
    static let scansPerPoint = 4
    static let scanPeriodSeconds = 4.0

    private let building: SimulatedBuilding
    private let device: DeviceID
    private let start: Timestamp
    private let points: [(storey: Int, point: PlanPoint)]
    private var random: SimulationRandom
    private var receiver: SimulatedReceiver
    private var made = 0

    /// - Parameter noiseSigma: the standard deviation of the noise over time, in dB.
    public init(
        of building: SimulatedBuilding, seed: UInt64, device: DeviceID = DeviceID("surveyor"),
        start: Timestamp, noiseSigma: Double = 4
    ) {
        self.building = building
        self.device = device
        self.start = start
        points = Self.grid(of: building.plan)
        random = SimulationRandom(seed: seed, part: 2)
        receiver = SimulatedReceiver(noiseSigma: noiseSigma, random: &random)
    }

    public var count: Int { points.count * Self.scansPerPoint }

    /// The time of the last survey.
    public var end: Timestamp {
        start.advanced(byMicroseconds: Int64(Double(count) * Self.scanPeriodSeconds * 1e6))
    }

    public mutating func next() -> SurveyRecorded? {
        let index = made / Self.scansPerPoint
        guard index < points.count else { return nil }
        let (storey, point) = points[index]
        let heading = Double(made % Self.scansPerPoint) * Double.pi / 2
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

    /// The points of the grid. They lie on odd metres, so that none is on an outer wall.
    private static func grid(of plan: FloorPlan) -> [(storey: Int, point: PlanPoint)] {
        (0..<SimulatedBuilding.storeys).flatMap { storey in
            stride(from: 1, to: FloorPlan.houseY.upperBound, by: gridMetres).flatMap { y in
                stride(from: 1, to: FloorPlan.houseX.upperBound, by: gridMetres).compactMap { x in
                    let point = PlanPoint(x: x, y: y)
                    return plan.room(at: point) == nil ? nil : (storey, point)
                }
            }
        }
    }
}
