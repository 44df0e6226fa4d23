import SiteExchange
import Wire

extension MapFormat {
    static let geojson = MapFormat(
        name: "geojson",
        summary: "a FeatureCollection of GeoJSON whose features name their kind of record",
        fileEnding: ".geojson",
        mediaType: "application/geo+json",
        // A file that is not JSON counts as a complete site here; `readWhole` refuses it with the
        // reason.
        isPart: { file in
            (try? PropertyValue(json: file.content())).map(GeoJSONExchange.isPart) ?? false
        },
        readWhole: { file, options in
            try GeoJSONExchange.site(from: PropertyValue(json: file.content()), options)
        },
        readPart: { file, site, options in
            try GeoJSONExchange.site(site, with: PropertyValue(json: file.content()), options)
        },
        write: { site, _, _ in GeoJSONExchange.featureCollection(of: site).json })
}
