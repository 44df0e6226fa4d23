import Events
import Geometry
import Positioning
import Simulation
import Site

/// Devices in a simulated building, located by a positioner, with noise of 6 dB.
struct SimulatedTracks {
    static let noiseSigma = 6.0
    private let building: SimulatedBuilding
    private let site: SiteIndex
    private let seed: UInt64
    private let end: Timestamp
    private let map: RadioMap

    /// The comparison of published positions with the truth.
    struct Figures: CustomStringConvertible {
        var scans = 0
        /// The scans after which the state was another one.
        var stored = 0
        var floorsRight = 0
        /// Scans from the second one after entering a room.
        var scansInRoom = 0
        var roomsRight = 0
        /// The room changes after the first minute, and the hours of all devices after it.
        var changes = 0
        var hours = 0.0
        var delays = RoomDelays()
        /// The sum of the distances to the true places, in metres, over scans with a place.
        var errors = 0.0
        var places = 0

        var meanError: Double { errors / Double(places) }
        var changesPerHour: Double { Double(changes) / hours }
        var floorShare: Double { Double(floorsRight) / Double(scans) }
        var roomShare: Double { Double(roomsRight) / Double(scansInRoom) }

        var description: String {
            "\(scans) scans, \(stored) stored, floor right \(floorShare), room right \(roomShare), "
                + "\(changes) room changes in \(hours) device hours, \(delays.delays.count) rooms "
                + "entered, told after \(shown(0.5)) s in the median and \(shown(0.95)) s at p95"
        }

        private func shown(_ share: Double) -> String {
            delays.seconds(share: share).map { "\($0)" } ?? "-"
        }

        static func + (left: Figures, right: Figures) -> Figures {
            Figures(
                scans: left.scans + right.scans, stored: left.stored + right.stored,
                floorsRight: left.floorsRight + right.floorsRight,
                scansInRoom: left.scansInRoom + right.scansInRoom,
                roomsRight: left.roomsRight + right.roomsRight,
                changes: left.changes + right.changes, hours: left.hours + right.hours,
                delays: left.delays + right.delays, errors: left.errors + right.errors,
                places: left.places + right.places)
        }
    }

    /// - Parameter surveyStride: 1 to use every survey for the radio map, 5 to use every fifth.
    init(seed: UInt64, surveyStride: Int = 1) throws {
        self.seed = seed
        building = SimulatedBuilding.make(seed: seed)
        site = try SiteIndex(building.document)
        let survey = SimulatedSurvey(
            of: building, seed: seed + 1, start: Timestamp(milliseconds: 1_780_000_000_000))
        end = survey.end
        let kept = survey.enumerated().filter { $0.offset % surveyStride == 0 }.map(\.element)
        map = RadioMapBuilder.build(kept, site: site).map
    }

    func prepared(_ positioner: any Positioner) -> any PreparedPositioner {
        positioner.prepare(map, site: site)
    }

    /// The figures of devices that each lie in a room.
    func atRest(_ positioner: any PreparedPositioner, devices: Int, minutes: Double) -> Figures {
        (0..<devices).map { number in
            followed(
                positioner,
                SimulatedRest(
                    in: building, seed: seed + 2, device: DeviceID("rest-\(number)"),
                    number: number, start: end, durationSeconds: minutes * 60,
                    noiseSigma: Self.noiseSigma))
        }.reduce(Figures(), +)
    }

    /// The figures of devices that people carry about.
    func walking(
        _ positioner: any PreparedPositioner, devices: Int, minutes: Double,
        scanPeriodSeconds: Double = 4
    ) -> Figures {
        (0..<devices).map { number in
            followed(
                positioner,
                SimulatedWalk(
                    in: building, seed: seed + 2, device: DeviceID("walker-\(number)"), start: end,
                    durationSeconds: minutes * 60, scanPeriodSeconds: scanPeriodSeconds,
                    noiseSigma: Self.noiseSigma))
        }.reduce(Figures(), +)
    }

    private func followed(
        _ positioner: any PreparedPositioner, _ scans: some Sequence<SimulatedScan>
    ) -> Figures {
        var figures = Figures()
        var scratch = PositionerScratch()
        var state = PositionerState.empty
        var previous: Timestamp?
        var before: (published: RoomID?, truth: RoomID)?
        var samples: [RoomDelays.Sample] = []
        for scan in scans {
            var radio = RadioScan(scan.scan)
            // As devices do.
            radio.previousAt = previous
            previous = radio.at
            let answer = positioner.locate(radio, state: state, seed: 0, scratch: &scratch)
            figures.stored += answer.state == state ? 0 : 1
            state = answer.state
            let room = answer.estimate.place?.room
            figures.scans += 1
            if let place = answer.estimate.place {
                let (x, y) = (place.point.x - scan.truth.x, place.point.y - scan.truth.y)
                figures.errors += (x * x + y * y).squareRoot()
                figures.places += 1
            }
            if answer.estimate.place?.floor == scan.truth.floor { figures.floorsRight += 1 }
            if before?.truth == scan.truth.room {
                figures.scansInRoom += 1
                if room == scan.truth.room { figures.roomsRight += 1 }
            }
            let hours = Double(scan.scan.at.milliseconds - end.milliseconds) / 3_600_000 - 1.0 / 60
            if let before, hours > 0 {
                figures.hours = hours
                if room != before.published { figures.changes += 1 }
            }
            before = (room, scan.truth.room)
            samples.append(
                RoomDelays.Sample(
                    seconds: Double(scan.scan.at.milliseconds) / 1_000, truth: scan.truth.room,
                    published: room))
        }
        figures.delays = RoomDelays(samples)
        return figures
    }
}
