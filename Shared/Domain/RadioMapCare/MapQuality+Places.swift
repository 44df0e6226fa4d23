import Events
import Geometry
import Positioning

extension MapQuality {
    static func places(
        _ map: RadioMap, trials: [HeldOutTrial], _ surveyed: SurveyedPlaces, model: ErrorModel?
    ) -> [Place] {
        var members = [[Int]](repeating: [], count: map.places.count)
        for (index, fingerprint) in map.fingerprints.enumerated() {
            members[Int(fingerprint.place)].append(index)
        }
        var tried = [(trials: Int, hits: Int)](repeating: (0, 0), count: map.places.count)
        for trial in trials {
            let truth = map.fingerprints[Int(trial.fingerprint)]
            tried[Int(truth.place)].trials += 1
            if trial.floor == truth.floor { tried[Int(truth.place)].hits += 1 }
        }
        var places = map.places.indices.filter { !members[$0].isEmpty }.map { number in
            var place = place(number, members[number], of: map, surveyed, model)
            let (trials, hits) = tried[number]
            place.floorHit = trials > 0 ? Double(hits) / Double(trials) : nil
            return place
        }
        markWeaknesses(&places)
        return places
    }

    private static func place(
        _ number: Int, _ members: [Int], of map: RadioMap, _ surveyed: SurveyedPlaces,
        _ model: ErrorModel?
    ) -> Place {
        let count = Double(members.count)
        let point = Point(
            x: members.reduce(0) { $0 + map.fingerprints[$1].point.x } / count,
            y: members.reduce(0) { $0 + map.fingerprints[$1].point.y } / count)
        let floor = map.places[number].floor
        let room = map.fingerprints[members[0]].room
        // No survey need have been made at the mean of a place's surveys.
        let distance = surveyed.distance(from: point, floor: floor)
        let readings = members.map { map.readings(of: $0) }
        return Place(
            name: map.places[number].name, floor: map.floors[Int(floor)],
            room: room < 0 ? nil : map.rooms[Int(room)], point: point, surveys: members.count,
            readings: readings.reduce(0) { $0 + $1.count },
            transmitters: Set(readings.joined().map { map.readingTransmitter[$0] }).count,
            expectedError: model.map { model in
                model.error(ratio: model.ratio(at: point, floor: floor), distance: distance)
            }, floorHit: nil, weaknesses: [])
    }

    private static func markWeaknesses(_ places: inout [Place]) {
        let around = surveysAround(places)
        let errors = places.compactMap(\.expectedError).sorted()
        let usual = errors.isEmpty ? 0 : errors[errors.count / 2]
        let large = max(smallErrorMetres, largeErrorRatio * usual)
        for index in places.indices {
            let place = places[index]
            var weaknesses: [Weakness] = []
            if around[index] < fewestSurveys { weaknesses.append(.fewSurveys) }
            if Double(place.readings) < fewestTransmitters * Double(place.surveys) {
                weaknesses.append(.fewTransmitters)
            }
            if let error = place.expectedError, error > large { weaknesses.append(.largeError) }
            if let hit = place.floorHit, hit < leastFloorHit { weaknesses.append(.otherFloor) }
            places[index].weaknesses = weaknesses
        }
    }

    /// For each place, the number of surveys made within `aroundMetres` of it.
    private static func surveysAround(_ places: [Place]) -> [Int] {
        var numbers = SquareIndex<FloorID, Int>(side: aroundMetres)
        for (number, place) in places.enumerated() {
            numbers.insert(number, at: place.point, on: place.floor)
        }
        return places.map { place in
            numbers.near(place.point, on: place.floor).reduce(0) { surveys, other in
                let isAround = places[other].point.distance(to: place.point) <= aroundMetres
                return surveys + (isAround ? places[other].surveys : 0)
            }
        }
    }

    static func floor(
        _ number: Int32, of map: RadioMap, trials: [HeldOutTrial], places: [Place],
        expectedError: Double?
    ) -> Floor {
        let id = map.floors[Int(number)]
        let own = places.filter { $0.floor == id }
        let tried = trials.filter { map.fingerprints[Int($0.fingerprint)].floor == number }
        let sorted = tried.compactMap(\.error).sorted()
        func quantile(_ share: Double) -> Double? {
            sorted.isEmpty ? nil : sorted[Int(share * Double(sorted.count - 1))]
        }
        let members = map.fingerprints.indices.filter { map.fingerprints[$0].floor == number }
        let readings = members.map { map.readings(of: $0) }
        let located = Dictionary(grouping: tried, by: \.floor).map { floor, trials in
            Located(
                floor: floor.map { map.floors[Int($0)] },
                share: Double(trials.count) / Double(tried.count))
        }
        return Floor(
            floor: id, places: own.count, weakPlaces: own.count { !$0.weaknesses.isEmpty },
            surveys: members.count, readings: readings.reduce(0) { $0 + $1.count },
            transmitters: Set(readings.joined().map { map.readingTransmitter[$0] }).count,
            expectedError: expectedError, trials: tried.count, median: quantile(0.5),
            p95: quantile(0.95),
            locatedOn: located.sorted {
                ($1.share, $0.floor?.text ?? "") < ($0.share, $1.floor?.text ?? "")
            })
    }
}
