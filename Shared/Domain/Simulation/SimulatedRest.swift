public import Events

/// A device that lies where it was put: what tracks must not see moving. It stands in a lab or
/// kitchen of its own, chosen by its number, and faces one way for the whole time.
public struct SimulatedRest: Sequence, IteratorProtocol, Sendable {
    private let building: SimulatedBuilding
    private let device: DeviceID
    private let start: Timestamp
    private let durationSeconds: Double
    private let scanPeriodSeconds: Double
    private let place: PlacedDevice
    private let truth: SimulatedTruth
    private var random: SimulationRandom
    private var receiver: SimulatedReceiver
    private var secondsOfNextScan: Double

    /// - Parameters:
    ///   - number: devices with numbers up to that of all labs and kitchens of the building are in
    ///     different rooms.
    ///   - scanPeriodSeconds: the first scan comes at a random moment of the first period.
    ///   - noiseSigma: standard deviation of the noise in time, dB.
    public init(
        in building: SimulatedBuilding, seed: UInt64, device: DeviceID, number: Int,
        start: Timestamp, durationSeconds: Double, scanPeriodSeconds: Double = 4,
        noiseSigma: Double = 4
    ) {
        precondition(scanPeriodSeconds > 0, "a rest without end")
        self.building = building
        self.device = device
        self.start = start
        self.durationSeconds = durationSeconds
        self.scanPeriodSeconds = scanPeriodSeconds
        random = SimulationRandom(seed: seed, part: 10_000 + UInt64(number))
        receiver = SimulatedReceiver(noiseSigma: noiseSigma, random: &random)
        let labs = building.plan.rooms(of: .room)
        // One room after another, and one storey after another, so that a dozen are all over the
        // building; the drawn start differs between seeds, not between devices.
        var drawing = SimulationRandom(seed: seed, part: 9_999)
        let all = labs.count * SimulatedBuilding.storeys
        let drawn = (drawing.index(below: all) + number * Self.stride) % all
        let storey = drawn % SimulatedBuilding.storeys
        let room = labs[drawn / SimulatedBuilding.storeys]
        let (x, y) = (building.plan.rooms[room].x, building.plan.rooms[room].y)
        let margin = Wanderer.marginMetres
        place = PlacedDevice(
            x: random.uniform(x.lowerBound + margin, x.upperBound - margin),
            y: random.uniform(y.lowerBound + margin, y.upperBound - margin),
            z: Double(storey) * RadioModel.storeyMetres + RadioModel.deviceHeightMetres,
            heading: random.uniform(0, 2 * Double.pi))
        truth = SimulatedTruth(
            floor: SimulatedBuilding.floor(storey), room: building.room(room, storey: storey),
            x: place.x, y: place.y)
        secondsOfNextScan = random.uniform(0, scanPeriodSeconds)
    }

    /// Shares no factor with the number of rooms, 69, so that every room comes before one comes
    /// again.
    private static let stride = 25

    public mutating func next() -> SimulatedScan? {
        guard secondsOfNextScan <= durationSeconds else { return nil }
        let seconds = secondsOfNextScan
        secondsOfNextScan += scanPeriodSeconds
        let wifi = receiver.scan(at: place, seconds: seconds, in: building, random: &random)
        let at = Timestamp(
            milliseconds: start.milliseconds + Int64((seconds * 1_000).rounded(.down)))
        let id = EventID(
            millisecondsSinceEpoch: at.milliseconds, random: random.next(), random.next())
        return SimulatedScan(
            scan: ScanRecorded(
                id: id, site: building.site, device: device, scanner: ScannerID(device.text),
                at: at, sentAt: at, receivedAt: at, wifi: wifi), truth: truth)
    }
}
