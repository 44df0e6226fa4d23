public import Events
internal import JSON

/// A route that a surveyor sends: the body of `POST /v1/magnetic-routes`.
public struct MagneticRouteSubmission: Hashable, Sendable {
    /// Nil stands for the token's site.
    public var site: SiteID?
    public var id: MagneticRouteID
    public var floor: FloorID
    public var polyline: [MagneticRoutePoint]
    public var walk: MagneticWalk

    /// Reads the body and checks its shape. The domain judges the route itself.
    public init(json body: [UInt8]) throws(WireFault) {
        self = try withJSON(body) { (root) throws(WireFault) in
            let fields = try magneticObject(root, ["id", "floor", "polyline"])
            return MagneticRouteSubmission(
                site: try fields.optional("site")?.identifier(.siteMalformed),
                id: try fields.required("id").identifier(),
                floor: try fields.required("floor").identifier(),
                polyline: try magneticPolyline(fields), walk: try MagneticWalk(fields))
        }
    }

    private init(
        site: SiteID?, id: MagneticRouteID, floor: FloorID, polyline: [MagneticRoutePoint],
        walk: MagneticWalk
    ) {
        self.site = site
        self.id = id
        self.floor = floor
        self.polyline = polyline
        self.walk = walk
    }
}

/// A second walk along a route: the body of `POST /v1/magnetic-routes/{id}/validations`.
public struct MagneticWalkSubmission: Hashable, Sendable {
    /// Nil stands for the token's site.
    public var site: SiteID?
    public var walk: MagneticWalk

    public init(json body: [UInt8]) throws(WireFault) {
        (site, walk) = try withJSON(body) { (root) throws(WireFault) in
            let fields = try magneticObject(root)
            return (
                try fields.optional("site")?.identifier(.siteMalformed), try MagneticWalk(fields)
            )
        }
    }
}

/// - Parameter others: the members beside those of each walk.
private func magneticObject(
    _ root: JSONValue, _ others: Set<String> = []
) throws(WireFault) -> FieldReader {
    guard let object = root.object else {
        throw WireFault(.notAnObject, "a walk is an object")
    }
    try object.checkMembers(others.union(["site", "samples", "passedAt", "stepsAt"]))
    return FieldReader(object)
}
