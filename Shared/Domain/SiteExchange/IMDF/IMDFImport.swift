import Events
import Geometry
import Site

/// Makes a site of an archive of IMDF 1.0 (OGC 20-094).
///
/// The venue is the site, footprints shape the buildings, levels are floors, units rooms, openings
/// doors; relationships, or else the units above each other, lead up and down; anchors are
/// locations, occupants and amenities the directory, geofences, sections and kiosks zones. Points
/// of the file `navPath`, which some makers add, become paths. Records have the ids of their
/// features, so the same archive gives the same site; what a site can't hold stays in the archive,
/// from which `IMDFExport` takes it again.
public struct IMDFImport: Sendable {
    public let options: ImportOptions

    public init(_ options: ImportOptions = ImportOptions()) { self.options = options }

    public func site(from archive: IMDFArchive) throws(ImportRefusal) -> ImportedSite {
        guard let venue = archive.features("venue").first else {
            throw ImportRefusal(.malformed, "the archive has no venue")
        }
        if let version = archive.manifest["version"].text, !version.hasPrefix("1.") {
            let shown = cleaned(version).prefix(40)
            throw ImportRefusal(.malformed, "version \(shown) of IMDF is not known, 1.0 is")
        }
        guard let frame = options.frame ?? Self.frame(of: venue) else {
            throw ImportRefusal(.malformed, "the venue lies nowhere: it has no shape and no point")
        }
        var assembly = IMDFAssembly(archive, frame: frame, timeZone: options.timeZone)
        assembly.takeVenue(venue)
        assembly.takeBuildings()
        assembly.takeLevels()
        assembly.takeUnits()
        assembly.takeOpenings()
        assembly.takeRelationships()
        assembly.takePaths()
        assembly.takeStacks()
        assembly.takeAnchors()
        assembly.takeAmenities()
        assembly.takeOccupants()
        assembly.takeZones()
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

    /// The middle of the degrees that a geometry spans.
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
        // Nine decimals are a tenth of a millimetre: the origin is a number that people can write.
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
