public import Events

/// A device that stays in place, to test that tracks do not see it move. It is in a lab or kitchen
/// chosen by its number, and faces in one direction the whole time.
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
    private var barometer: SimulatedBarometer?
    private var secondsOfNextScan: Double

    /// - Parameters:
    ///   - number: chooses the room. Numbers below the count of all labs and kitchens give
    ///     different rooms.
    ///   - scanPeriodSeconds: the first scan comes at a random moment of the first period.
    ///   - noiseSigma: the standard deviation of the noise over time, in dB.
    ///   - barometer: the device's barometer, if its scans have an air pressure. It changes nothing
    ///     else.
    public init(
        in building: SimulatedBuilding, seed: UInt64, device: DeviceID, number: Int,
        start: Timestamp, durationSeconds: Double, scanPeriodSeconds: Double = 4,
        noiseSigma: Double = 4, barometer: SimulatedBarometer? = nil
    ) {
        precondition(scanPeriodSeconds > 0, "a rest needs a scan period above 0")
        self.building = building
        self.device = device
        self.start = start
        self.durationSeconds = durationSeconds
        self.scanPeriodSeconds = scanPeriodSeconds
        self.barometer = barometer
        random = SimulationRandom(seed: seed, part: 10_000 + UInt64(number))
        receiver = SimulatedReceiver(noiseSigma: noiseSigma, random: &random)
        (place, truth) = Self.place(number, in: building, seed: seed, &random)
        secondsOfNextScan = random.uniform(0, scanPeriodSeconds)
    }

    /// The place of a device at rest.
    static func place(
        _ number: Int, in building: SimulatedBuilding, seed: UInt64
    ) -> (PlacedDevice, SimulatedTruth) {
        var random = SimulationRandom(seed: seed, part: 10_000 + UInt64(number))
        return place(number, in: building, seed: seed, &random)
    }

    private static func place(
        _ number: Int, in building: SimulatedBuilding, seed: UInt64,
        _ random: inout SimulationRandom
    ) -> (PlacedDevice, SimulatedTruth) {
        let labs = building.plan.rooms(of: .room)
        // The rooms follow one another across all storeys, so that a dozen devices are all over the
        // building. The random start differs between seeds, not between devices.
        var drawing = SimulationRandom(seed: seed, part: 9_999)
        let all = labs.count * SimulatedBuilding.storeys
        let drawn = (drawing.index(below: all) + number * Self.stride) % all
        let storey = drawn % SimulatedBuilding.storeys
        let room = labs[drawn / SimulatedBuilding.storeys]
        let (x, y) = (building.plan.rooms[room].x, building.plan.rooms[room].y)
        let margin = Wanderer.marginMetres
        let place = PlacedDevice(
            x: random.uniform(x.lowerBound + margin, x.upperBound - margin),
            y: random.uniform(y.lowerBound + margin, y.upperBound - margin),
            z: Double(storey) * RadioModel.storeyMetres + RadioModel.deviceHeightMetres,
            heading: random.uniform(0, 2 * Double.pi))
        let truth = SimulatedTruth(
            floor: SimulatedBuilding.floor(storey), room: building.room(room, storey: storey),
            x: place.x, y: place.y)
        return (place, truth)
    }

    /// The step from one device's room to the next one's. It shares no factor with the number of
    /// rooms, 69, so every room is used before one repeats.
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
                at: at, sentAt: at, receivedAt: at, wifi: wifi,
                pressureHectopascals: barometer?.hectopascals(atHeight: place.z, seconds: seconds)),
            truth: truth)
    }
}
