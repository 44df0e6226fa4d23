import Events
import Geometry
import Site
import Testing

@Suite struct DiscardedSurveysTests {
    private let ground = FloorID("bush-0")

    private func discarded(_ discards: [SurveyDiscard]) -> DiscardedSurveys {
        var document = smallSite()
        document.surveyDiscards = discards
        return DiscardedSurveys(document, frame: frame)
    }

    private var frame: LocalFrame {
        LocalFrame(originLatitude: 51.5129, originLongitude: -0.1167, bearingDegrees: 20)
    }

    private func survey(_ place: SurveyPlace, receivedAt milliseconds: Int64 = 100)
        -> SurveyRecorded
    {
        let time = Timestamp(milliseconds: milliseconds)
        return SurveyRecorded(
            scan: ScanRecorded(
                id: EventID(high: 1, low: 1), site: SiteID("bush"), device: DeviceID("d"),
                scanner: ScannerID("d"), at: time, receivedAt: time),
            place: place)
    }

    @Test("Its time is in whole milliseconds and no earlier: a document shows no others")
    func milliseconds() {
        for (microseconds, milliseconds) in [
            (1_234_567, 1_235), (2_000_000, 2_000), (1, 1), (0, 0),
        ] {
            let discard = SurveyDiscard(
                floor: ground, outline: [], locations: [],
                before: Timestamp(microseconds: Int64(microseconds)))
            #expect(discard.before == Timestamp(milliseconds: Int64(milliseconds)))
        }
    }

    @Test("Surveys in the outline on the floor that arrived before are discarded")
    func outline() {
        let discarded = discarded([
            SurveyDiscard(
                floor: ground, outline: [[0, 0], [4, 0], [4, 4], [0, 4]], locations: [],
                before: Timestamp(milliseconds: 200))
        ])
        #expect(discarded.contains(survey(.metres(floor: ground, x: 1, y: 1))))
        #expect(!discarded.contains(survey(.metres(floor: ground, x: 5, y: 1))))
        #expect(!discarded.contains(survey(.metres(floor: FloorID("bush-1"), x: 1, y: 1))))
        #expect(
            !discarded.contains(survey(.metres(floor: ground, x: 1, y: 1), receivedAt: 200)))
        let inside = frame.geographic(Point(x: 2, y: 2))
        #expect(
            discarded.contains(
                survey(
                    .geographic(
                        floor: ground, latitude: inside.latitude, longitude: inside.longitude))))
        // The desk is within the outline, although the discard does not name it.
        #expect(discarded.contains(survey(.location(LocationID("desk")))))
        #expect(!discarded.contains(survey(.location(LocationID("gone")))))
    }

    @Test("Surveys of a named location are discarded, also when the location is gone")
    func named() {
        let discarded = discarded([
            SurveyDiscard(
                floor: ground, outline: [], locations: [LocationID("gone")],
                before: Timestamp(milliseconds: 200)),
            SurveyDiscard(
                floor: ground, outline: [], locations: [LocationID("gone")],
                before: Timestamp(milliseconds: 50)),
        ])
        #expect(discarded.contains(survey(.location(LocationID("gone")))))
        #expect(!discarded.contains(survey(.location(LocationID("gone")), receivedAt: 300)))
        #expect(!discarded.contains(survey(.location(LocationID("desk")))))
        #expect(!self.discarded([]).contains(survey(.location(LocationID("gone")))))
    }
}
