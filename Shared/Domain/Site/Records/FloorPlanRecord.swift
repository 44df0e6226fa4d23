public import Events
public import Geometry

/// A picture of a floor, and its position in the site's frame.
public struct FloorPlanRecord: Hashable, Sendable {
    public var id: FloorPlanID
    public var floor: FloorID
    public var image: MediaReference
    public var widthPixels: Int
    public var heightPixels: Int
    public var alignment: PlanAlignment

    public init(
        id: FloorPlanID, floor: FloorID, image: MediaReference, widthPixels: Int,
        heightPixels: Int, alignment: PlanAlignment
    ) {
        self.id = id
        self.floor = floor
        self.image = image
        self.widthPixels = widthPixels
        self.heightPixels = heightPixels
        self.alignment = alignment
    }
}

/// The position of a plan in the site's frame, in the form in which a person gave it.
public enum PlanAlignment: Hashable, Sendable {
    /// Pixels at known points: two pairs, or more that are not on one line.
    case pairs([PixelPair])
    /// The point at the picture's centre, metres per pixel, and the direction of its upper edge in
    /// degrees clockwise from true north.
    case placed(centre: Point, metresPerPixel: Double, bearingDegrees: Double)
    /// The points of the picture's corners: the upper left and the lower right one, or all four
    /// clockwise from the upper left.
    case corners([Point])
}

/// A pixel and the point of the site's frame that it shows.
public struct PixelPair: Hashable, Sendable {
    /// The column: pixels from the picture's left edge.
    public var column: Double
    /// The row: pixels from the picture's upper edge.
    public var row: Double
    /// Metres in the site's frame.
    public var point: Point

    public init(column: Double, row: Double, point: Point) {
        self.column = column
        self.row = row
        self.point = point
    }
}

extension FloorPlanRecord: SiteRecord {
    public static let kind = RecordKind(
        "floor-plan", "floor plans", list: "floorPlans", most: 20_000, isOnMap: true)
    public static var records: WritableKeyPath<SiteDocument, [Self]> { \.floorPlans }
    public static let fields: [RecordField<Self>] = [
        RecordField("floor", \.floor, with: "image"), RecordField("image", \.image),
        RecordField("widthPixels", \.widthPixels, with: "image"),
        RecordField("heightPixels", \.heightPixels, with: "image"),
        RecordField("alignment", \.alignment, with: "image"),
    ]

    public var idText: String { id.text }
    public var references: [SiteThing] { [.floor(floor)] }

    public func check(_ validation: inout SiteValidation) {
        validation.checkFloor(floor)
        validation.checkMedia(image)
        do throws(PlanTransform.Fault) {
            _ = try PlanTransform(
                alignment, widthPixels: widthPixels, heightPixels: heightPixels,
                siteBearingDegrees: validation.document.bearingDegrees)
        } catch {
            validation.add(
                .planMisaligned,
                "the alignment does not fix the plan's position: \(error.rawValue)")
        }
    }
}
