import Events
import Geometry
import Site
import Testing

@Suite("SiteReview") struct SiteReviewTests {
    /// Rooms in a row, each 4 m by 4 m, on one floor. A door joins two rooms, or one and the
    /// outdoors.
    private func site(
        rooms: [String], doors: [(String, String?)], outlines: [String: Ring] = [:]
    ) -> SiteDocument {
        let floor = FloorID("0")
        var document = SiteDocument(
            name: "S", originLatitude: 0, originLongitude: 0, bearingDegrees: 0,
            buildings: [BuildingRecord(id: BuildingID("b"), name: "B", timeZone: "Etc/UTC")],
            floors: [FloorRecord(id: floor, building: BuildingID("b"), ordinal: 0, level: "0")])
        for (index, name) in rooms.enumerated() {
            let x = Double(index) * 4
            document.rooms.append(
                RoomRecord(
                    id: RoomID(name), floor: floor, name: name, kind: "room",
                    outline: outlines[name] ?? [[x, 0], [x + 4, 0], [x + 4, 4], [x, 4]]))
        }
        for (index, door) in doors.enumerated() {
            let ends = [door.0, door.1]
            document.connections.append(
                ConnectionRecord(
                    id: ConnectionID("d\(index)"), kind: .door,
                    stops: ends.map {
                        ConnectionStop(
                            floor: $0 == nil ? nil : floor, room: $0.map { RoomID($0) },
                            point: Point(x: Double(index) * 4 + 4, y: 2))
                    }))
        }
        return document
    }

    private func found(_ document: SiteDocument) -> [String] {
        SiteReview(document).findings.map { finding in
            ([finding.code.rawValue] + finding.subjects.map(\.id)).joined(separator: " ")
        }
    }

    @Test("A house whose rooms can all be reached has no findings") func good() {
        #expect(
            found(site(rooms: ["a", "b", "c"], doors: [("a", "b"), ("b", "c"), ("c", nil)])) == [])
    }

    @Test("A room without an opening is a finding, and so is one that is cut off")
    func unreachable() {
        let document = site(
            rooms: ["a", "b", "c", "d"], doors: [("a", nil), ("b", "c")])
        #expect(
            found(document) == [
                "room-cut-off b d1", "room-cut-off c d1", "room-without-opening d",
            ])
    }

    @Test("Without a way outdoors, rooms outside the largest connected part are cut off")
    func indoors() {
        let document = site(rooms: ["a", "b", "c", "d"], doors: [("a", "b"), ("b", "c")])
        #expect(found(document) == ["nothing-leads-outdoors", "room-without-opening d"])
        #expect(found(site(rooms: ["a", "b"], doors: [])) == ["no-connections"])
    }

    @Test("Two doors to the outdoors are joined where paths join them") func outdoors() {
        var document = site(rooms: ["a", "b"], doors: [("a", nil), ("b", nil)])
        #expect(found(document) == ["room-cut-off b d1"])
        let ends = document.connections.map { $0.stops[1] }
        document.connections.append(
            ConnectionRecord(id: ConnectionID("path"), kind: .walk, stops: ends))
        #expect(found(document) == [])
        document.connections.append(
            ConnectionRecord(
                id: ConnectionID("lost"), kind: .walk,
                stops: [
                    ConnectionStop(floor: nil, point: [90, 0]),
                    ConnectionStop(floor: nil, point: [91, 0]),
                ]))
        #expect(found(document) == ["connection-leads-nowhere lost"])
    }

    @Test("Rooms overlap unless one lies within the other or they share walls only")
    func overlap() {
        let document = site(
            rooms: ["a", "hall", "booth", "cross"],
            doors: [("a", "hall"), ("hall", "booth"), ("hall", "cross"), ("hall", nil)],
            outlines: [
                "hall": [[4, 0], [14, 0], [14, 10], [4, 10]],
                "booth": [[5, 1], [6, 1], [6, 2], [5, 2]],
                "cross": [[13, 4], [20, 4], [20, 5], [13, 5]],
            ])
        // The door was drawn for two rooms side by side.
        #expect(found(document) == ["rooms-overlap hall cross", "away-from-room d2 cross"])
    }

    @Test("A lift on one level is an error, and so is a fault that prevents publication")
    func invalid() {
        var document = site(rooms: ["a", "b"], doors: [("a", "b"), ("a", nil)])
        document.connections[1].kind = .lift
        document.connections[1].stops[1] = document.connections[1].stops[0]
        #expect(found(document) == ["lift-without-levels d1"])
        #expect(SiteReview(document).hasErrors)
        document.connections[1].stops[0].room = RoomID("nowhere")
        #expect(SiteReview(document).findings.contains { $0.text.contains("unknown-room") })
    }

    @Test("Places without surveys and repeated names are remarks") func remarks() {
        var document = site(rooms: ["a", "b"], doors: [("a", "b"), ("b", nil)])
        document.rooms[1].name = "a"
        document.locations = ["l1", "l2"].map {
            LocationRecord(
                id: LocationID($0), floor: FloorID("0"), room: nil, point: [1, 1])
        }
        let review = SiteReview(document, surveyed: [LocationID("l1")])
        #expect(
            review.findings.map(\.code) == [.repeatedName, .locationWithoutSurvey])
        #expect(review.findings[1].subjects == [.location(LocationID("l2"))])
        #expect(review.findings.allSatisfy { $0.severity == .remark })
        #expect(!review.hasErrors)
    }

    @Test("A location is surveyed by its name or within a metre, unless its surveys are discarded")
    func surveyed() {
        let floor = FloorID("0")
        var document = site(rooms: ["a", "b"], doors: [("a", "b")])
        for (id, x) in [("named", 1.0), ("near", 2.5), ("far", 5), ("cleared", 7), ("again", 7.5)] {
            document.locations.append(
                LocationRecord(id: LocationID(id), floor: floor, room: nil, point: [x, 1]))
        }
        document.surveyDiscards = [
            SurveyDiscard(
                floor: floor, outline: [[6.5, 0], [8, 0], [8, 2], [6.5, 2]], locations: [],
                before: Timestamp(milliseconds: 100))
        ]
        func survey(_ place: SurveyPlace, _ arrival: Int64 = 50) -> SurveyedPlace {
            SurveyedPlace(place, lastArrival: Timestamp(milliseconds: arrival))
        }
        let surveyed = document.locations(surveyedAt: [
            survey(.location(LocationID("named"))), survey(.metres(floor: floor, x: 3.4, y: 1)),
            survey(.metres(floor: FloorID("1"), x: 5, y: 1)),
            survey(.metres(floor: floor, x: 3.9, y: 1)), survey(.metres(floor: floor, x: 7, y: 1)),
            survey(.location(LocationID("again")), 200),
            survey(.geographic(floor: floor, latitude: 80, longitude: 170)),
            survey(.metres(floor: floor, x: .infinity, y: 1)),
        ])
        #expect(Set(surveyed.map(\.text)) == ["named", "near", "again"])
    }
}
