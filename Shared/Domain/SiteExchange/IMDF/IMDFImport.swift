import Events
import Geometry
import Site

/// Imports a site from an archive of IMDF 1.0 (OGC 20-094).
///
/// - The venue becomes the site, footprints the outlines of buildings, levels floors, units rooms,
///   openings doors.
/// - Relationships, or else units above each other, become connections between floors.
/// - Anchors become locations; occupants and amenities the directory; geofences, sections and
///   kiosks zones.
/// - Points of the file `navPath`, which some producers add, become paths.
///
/// Records have the ids of their features, so the same archive always gives the same site. Facts
/// unknown to sites stay in the archive; `IMDFExport` writes them again.
public struct IMDFImport: Sendable {
    public let options: ImportOptions

    public init(_ options: ImportOptions = ImportOptions()) { self.options = options }

    public func site(from archive: IMDFArchive) throws(ImportRefusal) -> ImportedSite {
        guard let venue = archive.features("venue").first else {
            throw ImportRefusal(.malformed, "the archive has no venue")
        }
        if let version = archive.manifest["version"].text, !version.hasPrefix("1.") {
            let shown = cleaned(version).prefix(40)
            throw ImportRefusal(.malformed, "version \(shown) of IMDF is not supported, only 1.0")
        }
        guard let frame = options.frame ?? Self.frame(of: venue) else {
            throw ImportRefusal(.malformed, "the venue has no shape and no point")
        }
        var assembly = IMDFAssembly(archive, frame: frame, timeZone: options.timeZone)
        assembly.addVenue(venue)
        assembly.addBuildings()
        assembly.addLevels()
        assembly.addUnits()
        assembly.addOpenings()
        assembly.addRelationships()
        assembly.addPaths()
        assembly.addStacks()
        assembly.addAnchors()
        assembly.addAmenities()
        assembly.addOccupants()
        assembly.addZones()
        return try assembly.finish()
    }

    static func frame(of venue: IMDFFeature) -> LocalFrame? {
        let point = venue["display_point"]["coordinates"].list.compactMap(\.number)
        let middle: GeographicPoint
        if point.count >= 2, abs(point[0]) <= 180, abs(point[1]) <= SiteLimits.latitudeDegrees {
            middle = GeographicPoint(latitude: point[1], longitude: point[0])
        } else if let centre = Self.middle(of: venue.geometry) {
            middle = centre
        } else {
            return nil
        }
        return LocalFrame(
            originLatitude: middle.latitude, originLongitude: middle.longitude, bearingDegrees: 0)
    }

    /// The middle of the geometry's range of longitudes and latitudes.
    private static func middle(of geometry: PropertyValue) -> GeographicPoint? {
        var longitudes: ClosedRange<Double>?
        var latitudes: ClosedRange<Double>?
        func visit(_ value: PropertyValue) {
            let list = value.list
            guard list.count >= 2, let longitude = list[0].number, let latitude = list[1].number
            else { return list.forEach(visit) }
            guard abs(longitude) <= 180, abs(latitude) <= SiteLimits.latitudeDegrees else { return }
            longitudes = widened(longitudes, to: longitude)
            latitudes = widened(latitudes, to: latitude)
        }
        visit(geometry["coordinates"])
        guard let longitudes, let latitudes else { return nil }
        // Nine decimals are a tenth of a millimetre, and short enough for people to write.
        return GeographicPoint(
            latitude: nineDecimals((latitudes.lowerBound + latitudes.upperBound) / 2),
            longitude: nineDecimals((longitudes.lowerBound + longitudes.upperBound) / 2))
    }
}

private func widened(_ range: ClosedRange<Double>?, to value: Double) -> ClosedRange<Double> {
    guard let range else { return value...value }
    return min(range.lowerBound, value)...max(range.upperBound, value)
}

private func nineDecimals(_ degrees: Double) -> Double { (degrees * 1e9).rounded() / 1e9 }
