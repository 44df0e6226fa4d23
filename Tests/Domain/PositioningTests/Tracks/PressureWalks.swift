import Events
import Positioning
import Simulation
import Site

/// Devices with a barometer in a simulated building of which every fourth access point works, with
/// noise of 8 dB: the floor is often doubtful.
struct PressureWalks {
    static let noiseSigma = 8.0
    static let accessPointStride = 4
    let site: SiteIndex
    let map: RadioMap
    private let building: SimulatedBuilding
    private let seed: UInt64
    private let end: Timestamp

    struct Figures: CustomStringConvertible {
        var scans = 0
        /// The answers with a floor of the building. Where so few access points work, other
        /// answers are lost, with an air pressure as without.
        var floors = 0
        var wrongFloors = 0
        /// The answers with a floor of the building, but not in the right room.
        var wrongRooms = 0
        /// Seconds from each change of the true floor to the first position on the new one, or to
        /// the next change.
        var delays: [Double] = []

        var wrongShare: Double { Double(wrongFloors) / Double(max(1, floors)) }
        var wrongRoomShare: Double { Double(wrongRooms) / Double(max(1, floors)) }
        var meanDelay: Double { delays.reduce(0, +) / Double(max(1, delays.count)) }

        var description: String {
            "\(wrongFloors) of \(floors) floors and \(wrongRooms) rooms wrong in \(scans) scans, "
                + "\(delays.count) changes told after \(meanDelay) s in the mean"
        }

        static func + (left: Figures, right: Figures) -> Figures {
            Figures(
                scans: left.scans + right.scans, floors: left.floors + right.floors,
                wrongFloors: left.wrongFloors + right.wrongFloors,
                wrongRooms: left.wrongRooms + right.wrongRooms,
                delays: left.delays + right.delays)
        }
    }

    init(seed: UInt64) throws {
        self.seed = seed
        building = SimulatedBuilding.make(seed: seed)
        site = try SiteIndex(building.document)
        let survey = SimulatedSurvey(
            of: building, seed: seed + 1, start: Timestamp(milliseconds: 1_780_000_000_000))
        end = survey.end
        let kept = survey.enumerated().filter { $0.offset % 5 == 0 }.map { _, survey in
            var survey = survey
            survey.scan.wifi.removeAll { !Self.works($0) }
            return survey
        }
        map = RadioMapBuilder.build(kept, site: site).map
    }

    /// Addresses are numbered in the order of the access points, across all storeys.
    private static func works(_ reading: WiFiReading) -> Bool {
        reading.bssid.value % UInt64(accessPointStride) == 0
    }

    func walking(_ track: any PreparedPositioner, isSilent: Bool) -> Figures {
        (0..<4).map { number in
            let device = DeviceID("walker-\(number)")
            return followed(
                track,
                SimulatedWalk(
                    in: building, seed: seed + 2, device: device, start: end,
                    durationSeconds: 900, noiseSigma: Self.noiseSigma,
                    barometer: isSilent ? nil : SimulatedBarometer(seed: seed, device: device)))
        }.reduce(Figures(), +)
    }

    func atRest(_ track: any PreparedPositioner, isSilent: Bool) -> Figures {
        (0..<4).map { number in
            let device = DeviceID("rest-\(number)")
            return followed(
                track,
                SimulatedRest(
                    in: building, seed: seed + 2, device: device, number: number, start: end,
                    durationSeconds: 900, noiseSigma: Self.noiseSigma,
                    barometer: isSilent
                        ? nil
                        : SimulatedBarometer(
                            seed: seed, device: device,
                            weatherPerHour: number.isMultiple(of: 2) ? 2 : -2)))
        }.reduce(Figures(), +)
    }

    private func followed(
        _ track: any PreparedPositioner, _ scans: some Sequence<SimulatedScan>
    ) -> Figures {
        var figures = Figures()
        var scratch = PositionerScratch()
        var state = PositionerState.empty
        var truth: FloorID?
        var changedAt: Timestamp?
        for var step in AnySequence(scans).lazy.map({ ($0.scan, $0.truth) }) {
            step.0.wifi.removeAll { !Self.works($0) }
            let answer = track.locate(RadioScan(step.0), state: state, seed: 0, scratch: &scratch)
            state = answer.state
            let floor = answer.estimate.place.flatMap { site.floor($0.floor) }?.id
            let isRight = floor == step.1.floor
            func end() {
                if let changedAt { figures.delays.append(Double(step.0.at - changedAt) / 1e6) }
                changedAt = nil
            }
            if let truth, truth != step.1.floor {
                end()
                changedAt = step.0.at
            }
            truth = step.1.floor
            if isRight { end() }
            figures.scans += 1
            figures.floors += floor == nil ? 0 : 1
            figures.wrongFloors += isRight || floor == nil ? 0 : 1
            let isInRoom = answer.estimate.place?.room == step.1.room
            figures.wrongRooms += isInRoom || floor == nil ? 0 : 1
        }
        return figures
    }
}
