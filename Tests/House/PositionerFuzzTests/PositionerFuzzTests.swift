import Events
import Foundation
import Geometry
import SeededRandomness
import Site
import Testing

@testable import Beacons
@testable import Magnetic
@testable import Positioning

/// `WHEREABOUTS_FUZZ=200000` locates about this many scans with each positioner. Without it the
/// test locates some hundreds.
@Suite("Positioners on any map and any scan") struct PositionerFuzzTests {
    private static let scansOfMap = 25
    private static let wanted = ProcessInfo.processInfo.environment["WHEREABOUTS_FUZZ"]
        .flatMap(Int.init)
    private static let isLong = wanted != nil
    private static let seeds = 0..<(wanted.map { max(1, $0 / scansOfMap / mapsOfSeed) } ?? 2)
    /// The seeds of maps that are large enough for a choice of positioner. In a debug build each
    /// takes seconds, or minutes if floors must be distinguished.
    private static let choosingSeeds = 0..<(wanted.map { max(1, $0 / 2_000) } ?? 3)
    /// The number of small maps for each seed. A map that is large enough for a choice takes
    /// seconds.
    private static let mapsOfSeed = 4
    private static let smallMap = 30
    private static let largeMap = 90

    /// One parameter for each way to compare, and every positioner by its name.
    static let names: [String] =
        PositionerRegistry.standard.names
        + PositionerRegistry.snapshots.names.map { "track:over=\($0)" }
        + SignalDistance.allCases.flatMap { distance in
            ["raw", "positive", "exponential", "powed"].map {
                "knn:distance=\(distance.rawValue),representation=\($0)"
            }
        }
        + [
            "knn:weighting=equal,k=1", "knn:exponent=10", "knn:exponent=0.1",
            "blend:ridge-share=0.2,gaussian-share=0.2,neighbour-share=0.4,likelihood=0.2,"
                + "floor-likelihood=0.3,neighbour-exponent=\(M_E),offset-trust=1",
            "blend:neighbour-share=1,neighbour-exponent=\(M_E),exponent=\(M_E),temperature=0.001",
        ]

    @Test("No map or scan makes a positioner answer with NaN or infinity", arguments: names, seeds)
    func single(name: String, seed: Int) throws {
        let positioner = try PositionerRegistry.standard.positioner(name)
        for number in 0..<Self.mapsOfSeed {
            var radio = RandomRadio(seed: 1_000 * seed + number)
            let map = radio.map(surveys: Self.smallMap)
            #expect(map.fault == nil)
            let prepared = positioner.prepare(map, site: RandomRadio.site)
            let fault = Self.fault(
                prepared, map, &radio, isTrack: positioner.usesEvidence)
            #expect(fault == nil, "\(name), map \(1_000 * seed + number)")
        }
    }

    @Test("The choice of a positioner never fails for a large enough map", arguments: choosingSeeds)
    func choosing(seed: Int) throws {
        var radio = RandomRadio(seed: 1_000_000 + seed)
        let map = radio.map(surveys: Self.largeMap, floors: Self.isLong ? 3 : 1)
        let choice = PositionerChoice(for: map)
        if let error = choice.meanErrorMetres { #expect(error.isFinite) }
        for name in [choice.positioner, "auto", "track:over=knn", "cells", "gaussian"] {
            guard let positioner = PositionerRegistry.standard[name] else { continue }
            let fault = Self.fault(
                positioner.following(choice.positioner).prepare(map, site: RandomRadio.site), map,
                &radio, isTrack: positioner.usesEvidence)
            #expect(fault == nil, "\(name), map \(1_000_000 + seed)")
        }
    }

    @Test("A positioner that divides by zero is noticed")
    func planted() {
        let faults = (0..<40).compactMap { seed -> String? in
            var radio = RandomRadio(seed: seed)
            let map = radio.map(surveys: Self.smallMap)
            guard !map.fingerprints.isEmpty else { return nil }
            var choice = BlendChoice.fallback
            choice.settings.neighbourExponent = 3
            choice.settings.neighbourShare = 0.4
            let prepared = PreparedBlend(map: map, site: RandomRadio.site, choice: choice)
            #expect(Self.fault(prepared, map, &radio, isTrack: false) == nil)
            return Self.fault(prepared.dividingByNothing, map, &radio, isTrack: false)
        }
        #expect(!faults.isEmpty)
        #expect(faults.allSatisfy { $0.contains("no numbers") })
    }

    /// The first fault of the answers to some scans of one device. Nil for none. Between scans the
    /// device's stored state is sometimes damaged.
    private static func fault(
        _ positioner: any PreparedPositioner, _ map: RadioMap, _ radio: inout RandomRadio,
        isTrack: Bool
    ) -> String? {
        let judge = EstimateJudge(map)
        var scratch = PositionerScratch()
        var state = PositionerState.empty
        var seconds = 0.0
        let weakest = Int(map.readingRSSI.min() ?? -95)
        for _ in 0..<scansOfMap {
            seconds += radio.pick([0, 1, 5, 40, 200, -3])
            let recorded = radio.scan(at: seconds, weakest: weakest)
            var scan = RadioScan(recorded)
            if radio.chance(0.3) { scan.evidence = evidence(&radio) }
            let (estimate, after) = positioner.locate(
                scan, state: state, seed: 1, scratch: &scratch)
            if let fault = isTrack ? judge.fault(estimate) : judge.fault(estimate, of: scan) {
                return "\(fault) for \(scan)"
            }
            state = after
            if radio.chance(0.1), !state.bytes.isEmpty {
                let place = radio.number(0...state.bytes.count - 1)
                state.bytes[place] = UInt8(radio.number(0...255))
            }
        }
        return nil
    }

    private static func evidence(_ radio: inout RandomRadio) -> [PlaceEvidence] {
        (0..<radio.number(1...3)).map { _ in
            PlaceEvidence(
                floor: FloorID(radio.pick(["f0", "f1", "other"])),
                point: Point(x: Double(radio.number(-10...40)), y: Double(radio.number(-10...20))),
                deviationMetres: radio.pick([0, 1e-9, 1, 30]),
                weight: radio.pick([0, 1e-60, 0.1, 0.3]))
        }
    }

    // MARK: Beacons and the magnetic field

    @Test("Beacon readings of any kind give no position with NaN or infinity", arguments: seeds)
    func beacons(seed: Int) throws {
        var radio = RandomRadio(seed: 2_000_000 + seed)
        for method in BeaconsPositioner.Method.allCases {
            for smoothing in BeaconsPositioner.Smoothing.allCases {
                let document = Self.document(&radio)
                let map = try BeaconMap(document)
                let positioner = try #require(
                    BeaconsPositioner(map: map, documentHash: 1)?.adjusted([
                        "method": method.rawValue, "smoothing": smoothing.rawValue,
                    ]))
                let prepared = positioner.prepare(.empty, site: RandomRadio.site)
                let fault = Self.fault(prepared, .empty, &radio, isTrack: true)
                #expect(fault == nil, "\(method), \(smoothing), \(document)")
            }
        }
    }

    private static func document(_ radio: inout RandomRadio) -> BeaconDocument {
        let isPoint = radio.chance(0.2)
        let beacons = (1...3).map { minor in
            BeaconRecord(
                major: 1, minor: UInt16(minor),
                place: .absolute(
                    x: isPoint ? 5 : Double(radio.number(0...20)),
                    y: isPoint ? 5 : Double(radio.number(0...20))))
        }
        return BeaconDocument(
            name: "b", uuid: RandomRadio.region, floor: FloorID("f0"),
            map: BeaconMapRecord(
                width: 20, height: 20, unitsPerMetre: radio.pick([1, 0.001, 1e6])),
            pathLoss: PathLoss(
                exponent: radio.pick([1, 2, 10]), powerAtOneMetre: radio.pick([-120, -59, 20])),
            groups: [
                BeaconGroupRecord(
                    id: BeaconGroupID("g"), isRing: radio.chance(0.5), beacons: beacons)
            ])
    }

    @Test(
        "Magnetic readings of any kind never give evidence with NaN or infinity",
        arguments: seeds)
    func magnetic(seed: Int) throws {
        let follower = MagneticFollower([try Self.route()])
        #expect(follower.routeCount == 1)
        var radio = RandomRadio(seed: 3_000_000 + seed)
        var state = PositionerState.empty
        for _ in 0..<8 * Self.scansOfMap {
            let scan = radio.scan(at: 0, weakest: -90)
            let (evidence, after) = follower.follow(scan, state: state)
            #expect(
                evidence.allSatisfy {
                    $0.point.isFinite && $0.deviationMetres.isFinite && $0.deviationMetres >= 0
                        && (0...1).contains($0.weight)
                })
            #expect(evidence.reduce(0) { $0 + $1.weight } <= 1 + 1e-6)
            state = after
            if radio.chance(0.2), !state.bytes.isEmpty {
                state.bytes[radio.number(0...state.bytes.count - 1)] = UInt8(radio.number(0...255))
            }
        }
    }

    private static func route() throws -> MatchableRoute {
        let line = [MagneticRoutePoint(x: 0, y: 5), MagneticRoutePoint(x: 30, y: 5)]
        let samples = (0...600).map { index in
            let phase = Double(index) / 20
            return MagneticSample(
                atMilliseconds: index * 50,
                field: MagneticField(
                    x: 20 + 10 * sin(phase), y: 5 * cos(2 * phase), z: -40 + 8 * sin(3 * phase)),
                gravity: MagneticField(x: 0, y: 0, z: 9.8))
        }
        let profile = try MagneticRouteState.profile(line, MagneticWalk(samples: samples))
        return MatchableRoute(id: MagneticRouteID("r"), floor: FloorID("f0"), profile: profile)
    }

    @Test("The judge of estimates notices impossible estimates")
    func judge() {
        let judge = EstimateJudge(.empty)
        func fault(_ x: Double, _ radius68: Double, _ radius95: Double) -> String? {
            judge.fault(
                Estimate(
                    state: .located,
                    place: .init(
                        floor: FloorID("f0"), point: Point(x: x, y: 0), room: nil,
                        covariance: .round(radius68: 1), radius68: radius68, radius95: radius95)))
        }
        #expect(fault(1, 1, 2) == nil)
        #expect(fault(.nan, 1, 2) != nil)
        #expect(fault(1, .infinity, .infinity) != nil)
        #expect(fault(1, 2, 1) != nil)
        #expect(judge.fault(Estimate(state: .located, place: nil)) != nil)
        #expect(judge.fault(.lost) == nil)
    }
}
