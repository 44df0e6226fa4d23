public import Events

extension SiteDocument {
    /// The building that stands for what has levels and lies in no building, such as a footbridge
    /// or a platform, in what is imported from OpenStreetMap. It has no outline: nobody enters or
    /// leaves it.
    public static let openBuilding = BuildingID("site")
}
