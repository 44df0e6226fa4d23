import Archive
import Foundation
import SiteExchange

enum MapText {
    static func xml(_ map: OpenStreetMapData) -> String {
        var text = "<?xml version='1.0' encoding='UTF-8'?>\n<osm version=\"0.6\">\n"
        for node in map.nodes {
            let place = [
                node.latitude.map { " lat=\"\($0)\"" }, node.longitude.map { " lon=\"\($0)\"" },
            ]
            text += "<node id=\"\(node.id)\"\(place.compactMap { $0 }.joined())>"
            text += tags(node.tags) + "</node>\n"
        }
        for way in map.ways {
            text += "<way id=\"\(way.id)\">"
            for node in way.nodes { text += "<nd ref=\"\(node)\"/>" }
            text += tags(way.tags) + "</way>\n"
        }
        for relation in map.relations {
            text += "<relation id=\"\(relation.id)\">"
            for member in relation.members {
                let kind = member.kind == .node ? "node" : member.kind == .way ? "way" : "relation"
                text +=
                    "<member type=\"\(kind)\" ref=\"\(member.id)\" "
                    + "role=\"\(escaped(member.role))\"/>"
            }
            text += tags(relation.tags) + "</relation>\n"
        }
        return text + "</osm>\n"
    }

    private static func tags(_ tags: OpenStreetMapData.Tags) -> String {
        tags.sorted { $0.key < $1.key }.map {
            "<tag k=\"\(escaped($0.key))\" v=\"\(escaped($0.value))\"/>"
        }.joined()
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(
            "\"", with: "&quot;")
    }

    static func gzipped(_ bytes: [UInt8]) throws -> [UInt8] {
        let file = FileManager.default.temporaryDirectory.appending(
            path: "whereabouts-fuzz-\(getpid()).gz")
        defer { try? FileManager.default.removeItem(at: file) }
        let writer = try GzipWriter(path: file.path)
        try writer.write(bytes)
        try writer.close()
        return Array(try Data(contentsOf: file))
    }
}
