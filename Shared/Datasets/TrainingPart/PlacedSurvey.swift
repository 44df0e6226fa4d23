import Events
import Geometry
import Site
import Wire

/// A survey of a data set, with its place in the set's site.
struct PlacedSurvey {
    /// Surveys at equal places are of one place, as in the radio map: a location, or a decimetre of
    /// a floor.
    struct Place: Hashable, Comparable {
        var floor: FloorID
        var name: String

        static func < (left: Place, right: Place) -> Bool {
            (left.floor, left.name) < (right.floor, right.name)
        }
    }

    let survey: SurveyRecorded
    let building: BuildingID?
    let place: Place
    let point: Point
    private let room: RoomID?

    var floor: FloorID { place.floor }

    init(_ survey: SurveyRecorded, site: SiteIndex) throws(PlaceFault) {
        let resolved = try site.resolve(survey.place)
        let floor = site.floor(resolved.floor)
        self.survey = survey
        building = floor.building
        point = resolved.point
        room = resolved.room.map { site.room($0).id }
        let name =
            resolved.location?.text ?? "\(Self.decimetres(point.x)),\(Self.decimetres(point.y))"
        place = Place(floor: floor.id, name: name)
    }

    private static func decimetres(_ metres: Double) -> Int { Int((metres * 10).rounded()) }

    /// The survey's scan, to be located.
    ///
    /// - Parameter hasPaths: whether a device's scans are one path.
    func test(hasPaths: Bool) -> Dataset.TestScan {
        Dataset.TestScan(
            scan: survey.scan,
            truth: ScanTruth(building: building, floor: floor, room: room, x: point.x, y: point.y),
            path: hasPaths ? survey.scan.device.text : nil)
    }
}
