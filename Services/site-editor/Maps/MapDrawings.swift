import Events
import Geometry
import HTTP
import Pictures
import ServiceHost
import Site
import SiteMap
import Wire

/// Maps as files. Each is drawn once for a version, and kept while there is room.
actor MapDrawings {
    /// The values that make one file differ from another.
    struct Asked: Hashable, Sendable {
        var site: SiteID
        var version: Int
        /// The published version, where it hides a part of a draft.
        var besides = 0
        /// The kind of reader that the map is for; an editor where every reader sees the same.
        var reader: Reader
        /// Nil for the outdoors.
        var floor: FloorID?
        var format: MapFileType
        var language: String?
        var widthPixels: Int
        /// A way on the map, or one point that is marked.
        var route: [Point] = []
        /// The metres to be drawn; nil for the complete map.
        var part: BoundingBox?

        /// Whether others will ask for the same drawing.
        var isLasting: Bool { route.isEmpty && part == nil }
    }

    private let files: MadeFiles<Asked>
    private var languages: [Seen: (version: Int, languages: MapLanguages)] = [:]

    private struct Seen: Hashable {
        var site: SiteID
        var reader: Reader
    }

    init(mostFiles: Int = 500, mostBytes: Int = 64 << 20) {
        files = MadeFiles("map-drawings", mostFiles: mostFiles, mostBytes: mostBytes)
    }

    /// The file. Requests that come while it is being drawn wait for the same drawing.
    func file(_ wanted: Asked, of site: SiteIndex) async throws -> [UInt8] {
        let asked = wanted.inLanguage(
            languages(of: site, wanted).normalised(wanted.language))
        return try await files.file(asked) {
            Self.draw(asked, of: site).map { MadeFile($0, lasts: asked.isLasting) }
        }
    }

    private func languages(of site: SiteIndex, _ asked: Asked) -> MapLanguages {
        let seen = Seen(site: asked.site, reader: asked.reader)
        if let known = languages[seen], known.version == asked.version { return known.languages }
        let languages = MapLanguages(site.document)
        self.languages[seen] = (asked.version, languages)
        return languages
    }

    private static func draw(_ asked: Asked, of site: SiteIndex) -> Result<[UInt8], Problem> {
        let map: SiteMap
        if let floor = asked.floor {
            guard let known = SiteMap(of: site, floor: floor) else {
                return .failure(Problem(other: .floorUnknown, "The site has no floor \(floor)."))
            }
            map = known
        } else {
            map = SiteMap(outdoorsOf: site)
        }
        switch asked.format {
        case .geojson: return .success(map.geoJSON(language: asked.language))
        case .svg: return .success([UInt8](map.svg(asked.page).utf8))
        case .png:
            do throws(PictureError) {
                let svg = [UInt8](map.svg(asked.page).utf8)
                return .success(try PNGPicture.png(svg: svg, widthPixels: asked.widthPixels))
            } catch {
                return .failure(Problem(.internalError, "The picture can't be drawn."))
            }
        }
    }
}

extension MapDrawings.Asked {
    fileprivate func inLanguage(_ language: String?) -> Self {
        var asked = self
        asked.language = language
        return asked
    }

    fileprivate var page: MapPage {
        MapPage(widthPixels: widthPixels, language: language, route: route, part: part)
    }
}
