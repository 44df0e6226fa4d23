public import Events

extension SiteDocument {
    /// The building of levels that are in no building, such as a footbridge or a platform imported
    /// from OpenStreetMap. It has no outline, so nobody enters or leaves it.
    public static let openBuilding = BuildingID("site")
}
