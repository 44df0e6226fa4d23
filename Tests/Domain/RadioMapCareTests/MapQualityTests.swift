import Events
import Geometry
import Positioning
import RadioMapCare
import SeededRandomness
import Simulation
import Testing

@Suite("MapQuality") struct MapQualityTests {
    /// Every second place of each line, except the east of the first storey.
    static let surveys = SimulatedMap.surveys { floor, point in
        guard SimulatedMap.isOnCoarseGrid(point) else { return false }
        return floor != SimulatedBuilding.floor(1) || point.x < 26
    }
    static let map = SimulatedMap.map(surveys)
    static let quality = MapQuality(
        map, site: SimulatedMap.site, positioner: NearestNeighbours(exponent: 1.5))

    @Test("A floor's expected error is near the error that visitors have there")
    func promise() throws {
        let visits = SimulatedMap.visits(seed: 9, devices: 10, minutes: 4)
        for floor in Self.quality.floors where floor.floor != SimulatedBuilding.floor(1) {
            let real = SimulatedMap.error(
                of: NearestNeighbours(exponent: 1.5), Self.map, visits: visits
            ) { $0.floor == floor.floor }
            let promised = try #require(floor.expectedError)
            #expect(promised / real > 0.6 && promised / real < 1.6)
        }
    }

    @Test("Surveys, readings, places and transmitters are counted by floor")
    func counts() throws {
        #expect(Self.quality.floors.map(\.floor) == Self.map.floors)
        #expect(Self.quality.positioner == "knn")
        #expect(Self.quality.floors.reduce(0) { $0 + $1.surveys } == Self.map.fingerprints.count)
        #expect(
            Self.quality.floors.reduce(0) { $0 + $1.readings } == Self.map.readingRSSI.count)
        #expect(Self.quality.places.count == Self.map.places.count)
        for floor in Self.quality.floors {
            let places = Self.quality.places.filter { $0.floor == floor.floor }
            #expect(floor.places == places.count)
            #expect(floor.surveys == places.reduce(0) { $0 + $1.surveys })
            #expect(floor.weakPlaces == places.count { !$0.weaknesses.isEmpty })
            let shares = floor.locatedOn.reduce(0) { $0 + $1.share }
            #expect(abs(shares - 1) < 1e-9)
            #expect(floor.locatedOn.first?.floor == floor.floor)
        }
        // The slow and obvious method, for one place.
        let place = try #require(Self.quality.places.first)
        let own = Self.map.fingerprints.indices.filter {
            Self.map.places[Int(Self.map.fingerprints[$0].place)].name == place.name
                && Self.map.floors[Int(Self.map.fingerprints[$0].floor)] == place.floor
        }
        #expect(own.count == place.surveys)
        let heard = own.flatMap { Self.map.scan(of: $0).readings.map(\.transmitter) }
        #expect(heard.count == place.readings)
        #expect(Set(heard).count == place.transmitters)
    }

    @Test("Places with one survey, or with few transmitters, are weak for that reason")
    func weaknesses() throws {
        var surveys = Self.surveys
        let floor = SimulatedBuilding.floor(1)
        // This place is deep in the part that was not surveyed.
        var lonely = try #require(
            SimulatedMap.surveys { $0 == floor && $1.distance(to: Point(x: 45, y: 5)) < 1 }.first)
        lonely.scan.wifi = Array(lonely.scan.wifi.prefix(2))
        surveys.append(lonely)
        let quality = MapQuality(
            SimulatedMap.map(surveys), site: SimulatedMap.site,
            positioner: NearestNeighbours(exponent: 1.5))
        let place = try #require(
            quality.places.first { $0.floor == floor && $0.point.x > 40 })
        #expect(place.surveys == 1)
        #expect(place.weaknesses.contains(.fewSurveys))
        #expect(place.weaknesses.contains(.fewTransmitters))
        let others = quality.places.filter { $0.surveys > 1 }
        #expect(others.allSatisfy { !$0.weaknesses.contains(.fewSurveys) })
    }

    @Test("A map with hardly any places has counts but no expected error")
    func smallMap() {
        let quality = MapQuality(
            SimulatedMap.map(Array(Self.surveys.prefix(4))), site: SimulatedMap.site,
            positioner: NearestNeighbours(exponent: 1.5))
        #expect(quality.model == nil)
        #expect(quality.floors.map(\.surveys) == [4])
        #expect(quality.floors[0].expectedError == nil)
        #expect(quality.places.allSatisfy { $0.expectedError == nil })
        let nothing = MapQuality(
            .empty, site: SimulatedMap.site, positioner: NearestNeighbours(exponent: 1.5))
        #expect(nothing.floors.isEmpty && nothing.places.isEmpty)
    }

    @Test("The nearest survey is the same as in a search through all", arguments: 0..<5)
    func nearest(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let places = SurveyedPlaces(Self.map)
        for _ in 0..<100 {
            let point = Point(
                x: Double.random(in: -40...90, using: &random),
                y: Double.random(in: -40...90, using: &random))
            let floor = Int32.random(in: 0..<3, using: &random)
            let slow =
                Self.map.fingerprints.filter { $0.floor == floor }
                .map { $0.point.distance(to: point) }.min() ?? .infinity
            let found = places.distance(from: point, floor: floor)
            #expect(abs(found - min(slow, SurveyedPlaces.farthest)) < 1e-9)
        }
        #expect(places.distance(from: Point(x: 0, y: 0), floor: 9) == SurveyedPlaces.farthest)
    }
}
