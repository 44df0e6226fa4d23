import Foundation
import Testing

@Suite("Media over HTTP") struct MediaEndTests {
    /// More than two pieces of a megabyte, each byte telling where it is.
    private static let sound: [UInt8] =
        Array("OggS".utf8) + (4..<2_500_000).map { UInt8(truncatingIfNeeded: $0 / 7 ^ $0) }

    /// A page of 4 by 3 inches with a filled rectangle.
    private static let plan: [UInt8] = {
        let objects = [
            "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 288 216]/Contents 4 0 R>>",
            "<</Length 20>>stream\n20 20 200 90 re f  \nendstream",
        ]
        var text = "%PDF-1.4\n"
        var offsets: [Int] = []
        for (index, object) in objects.enumerated() {
            offsets.append(text.utf8.count)
            text += "\(index + 1) 0 obj\(object)endobj\n"
        }
        let start = text.utf8.count
        text += "xref\n0 5\n0000000000 65535 f \n"
        for offset in offsets { text += String(format: "%010d 00000 n \n", offset) }
        text += "trailer<</Size 5/Root 1 0 R>>\nstartxref\n\(start)\n%%EOF\n"
        return Array(text.utf8)
    }()

    @Test("A file is kept once, and handed out whole, in part, or not again")
    func life() async throws {
        let site = try await SmallSite.shared.value
        func send(
            _ method: String, _ path: String, _ headers: [String: String] = [:],
            _ body: [UInt8] = []
        ) async throws -> Answer {
            try await site.campus.send(
                method, path, token: site.administrator, body: body,
                headers: headers.map { (name: $0.key, value: $0.value) })
        }
        let kept = try await send(
            "POST", "/v1/media", ["Content-Type": "audio/ogg; codecs=opus"], Self.sound)
        #expect(kept.status == 201, "\(kept.text)")
        #expect(try await send("POST", "/v1/media", [:], Self.sound).status == 200)
        let media = try #require(kept.json["media"] as? [String: Any])
        #expect(media["bytes"] as? Int == Self.sound.count)
        let path = "/v1/media/\(try #require(media["hash"] as? String))"

        let whole = try await send("GET", path)
        #expect(whole.status == 200 && whole.body == Self.sound)
        #expect(whole.headers["content-type"] == "audio/ogg")
        #expect(whole.headers["x-content-type-options"] == "nosniff")
        let tag = try #require(whole.headers["etag"])
        for range in [0..<1, 1_048_575..<1_048_577, 1_048_576..<2_097_152, 900_000..<2_499_999] {
            let field = "bytes=\(range.lowerBound)-\(range.upperBound - 1)"
            let part = try await send("GET", path, ["Range": field])
            #expect(part.status == 206 && part.body == Array(Self.sound[range]), "\(range)")
            #expect(
                part.headers["content-range"]
                    == "bytes \(range.lowerBound)-\(range.upperBound - 1)/2500000")
        }
        let beyond = try await send("GET", path, ["Range": "bytes=2500000-"])
        #expect(beyond.status == 416 && beyond.code == "range-unsatisfiable")
        #expect(beyond.headers["content-range"] == "bytes */2500000")
        let other = ["Range": "bytes=0-0", "If-Range": "\"other\""]
        #expect(try await send("GET", path, other).status == 200)
        #expect(try await send("GET", path, ["If-None-Match": tag]).status == 304)
        #expect(try await send("GET", "/v1/media/00").code == "media-unknown")
    }

    @Test("A page of a PDF becomes a picture that is kept, too")
    func pages() async throws {
        let site = try await SmallSite.shared.value
        let kept = try await site.campus.send(
            "POST", "/v1/media", token: site.administrator, body: Self.plan)
        let media = try #require(kept.json["media"] as? [String: Any], "\(kept.text)")
        let path = "/v1/media/\(media["hash"] as? String ?? "")/picture"
        let drawn = try await site.campus.send(
            "POST", "\(path)?dotsPerInch=100", token: site.administrator)
        #expect(drawn.status == 201, "\(drawn.text)")
        #expect(drawn.json["widthPixels"] as? Int == 400)
        #expect(drawn.json["heightPixels"] as? Int == 300)
        let missing = try await site.campus.send(
            "POST", "\(path)?page=2", token: site.administrator)
        #expect(missing.code == "page-unreadable", "\(missing.text)")
        #expect(missing.text.contains("The file has no page 2."), "\(missing.text)")
        let fine = try await site.campus.send(
            "POST", "\(path)?dotsPerInch=9000", token: site.administrator)
        #expect(fine.code == "number-out-of-range")
    }

    @Test("A site is not published before the files that it names are kept")
    func publishing() async throws {
        let site = try await SmallSite.shared.value
        let picture = Array("<svg width='40' height='20'><path d='M0 0'/></svg>".utf8)
        let kept = try await site.campus.send(
            "POST", "/v1/media", token: site.administrator, body: picture)
        let missing: [String: Any] = [
            "hash": String(repeating: "00", count: 32), "type": "image/png", "bytes": 9,
        ]
        var document = SmallSite.document
        let media = [try #require(kept.json["media"] as? [String: Any]), missing]
        document["floorPlans"] = media.enumerated().map { index, media -> [String: Any] in
            [
                "id": "plan-\(index)", "floor": "ground", "image": media, "widthPixels": 40,
                "heightPixels": 20, "alignment": ["corners": [[0.0, 20.0], [40.0, 0.0]]],
            ]
        }
        let refused = try await site.campus.send(
            "PUT", "/v1/sites/media-test", token: site.administrator, body: jsonText(document))
        #expect(refused.status == 422 && refused.code == "media-unknown", "\(refused.text)")
        #expect(refused.text.contains(String(repeating: "00", count: 32)), "\(refused.text)")
        var plans = try #require(document["floorPlans"] as? [[String: Any]])
        plans.removeLast()
        plans[0]["widthPixels"] = 80
        document["floorPlans"] = plans
        let stretched = try await site.campus.send(
            "PUT", "/v1/sites/media-test", token: site.administrator, body: jsonText(document))
        #expect(stretched.status == 422 && stretched.code == "plan-size-differs")
        #expect(stretched.text.contains("80 × 20") && stretched.text.contains("40 × 20"))
        plans[0]["widthPixels"] = 40
        document["floorPlans"] = plans
        let published = try await site.campus.send(
            "PUT", "/v1/sites/media-test", token: site.administrator, body: jsonText(document))
        #expect(published.status == 201, "\(published.text)")
    }

    @Test("What is not what it says, or does more than draw, is refused")
    func refusals() async throws {
        let site = try await SmallSite.shared.value
        func code(_ text: String, _ type: String? = nil) async throws -> String? {
            try await site.campus.send(
                "POST", "/v1/media", token: site.administrator, body: Array(text.utf8),
                headers: type.map { [(name: "Content-Type", value: $0)] } ?? []
            ).code
        }
        #expect(try await code("<html></html>") == "media-type-unknown")
        #expect(try await code("") == "media-type-unknown")
        #expect(try await code("%PDF-1.4", "image/png") == "media-type-differs")
        let script = "<svg width='1' height='1'><script/></svg>"
        #expect(try await code(script) == "drawing-not-passive")
        #expect(try await code("<svg/>") == "picture-unreadable")
        // What curl says of any file is no statement: the bytes are looked at.
        let drawing = "<svg width='2' height='1'><path d='M0 0'/></svg>"
        for vague in ["application/x-www-form-urlencoded", "application/octet-stream"] {
            #expect(try await code(drawing, vague) == nil, "\(vague)")
        }
        let broken = try await site.campus.send(
            "POST", "/v1/media", token: site.administrator, body: Array("%PDF-garbage".utf8))
        let media = try #require(broken.json["media"] as? [String: Any])
        let drawn = try await site.campus.send(
            "POST", "/v1/media/\(media["hash"] as? String ?? "")/picture",
            token: site.administrator)
        #expect(drawn.code == "page-unreadable")
        let visitor = try await site.campus.send(
            "POST", "/v1/media", token: site.visitor, body: Self.plan)
        #expect(visitor.code == "role-not-allowed")
    }
}
