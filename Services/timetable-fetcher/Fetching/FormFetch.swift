import HTMLPages
import HTTPClient
import Timetables

/// Fetches the answer of a web form: the page with the form, then the form filled in.
///
/// Fields keep what the page gives them, hidden ones too, unless the feed names another value.
/// Cookies of the first page go to the second. A form that posts is sent to the feed's own server
/// only, since its page chooses the hidden fields. The page of a public server leads to public ones
/// only, by any form.
struct FormFetch {
    private static let mostFields = 2_000

    let feed: TimetableFeed
    let client: HTTPClient
    let headers: [(name: String, value: String)]
    let timeoutSeconds: Double

    func fetch() async throws -> FeedAnswer {
        let first = try await client.send(
            "GET", feed.address, headers: headers,
            timeoutSeconds: timeoutSeconds, cookies: [])
        guard (200..<300).contains(first.status) else { return FeedAnswer(first) }
        let page = FeedAnswer(first)
        let form = try await AnswerReading.run(ofBytes: page.body.count) {
            Result { try Self.filled(page, feed) }
        }.get()
        let type = (name: "content-type", value: "application/x-www-form-urlencoded")
        let answer = try await client.send(
            form.isPost ? "POST" : "GET", form.address,
            headers: headers + (form.isPost ? [type] : []),
            body: form.isPost ? Array(form.fields.utf8) : [],
            timeoutSeconds: timeoutSeconds, cookies: first.cookies,
            hasAskedPublic: first.hasAskedPublic)
        var result = FeedAnswer(answer)
        // The tags of a form's answer say nothing of the next one.
        (result.entityTag, result.modified) = (nil, nil)
        return result
    }

    struct Filled: Sendable {
        var isPost: Bool
        var address: String
        /// In the encoding of forms (application/x-www-form-urlencoded).
        var fields: String
    }

    static func filled(_ answer: FeedAnswer, _ feed: TimetableFeed) throws(FeedFault) -> Filled {
        let path = feed.paths["form"] ?? "//form"
        let wanted = Dictionary(
            feed.form.map { ($0.name, $0.values) }, uniquingKeysWith: { $0 + $1 })
        var fields: [(String, String)] = []
        let form: HTMLNode
        do {
            let page = try HTMLPage(bytes: answer.body, contentType: answer.contentType)
            guard let found = try page.nodes(try HTMLPath(path)).first else {
                throw FeedFault("no form is there", path: path)
            }
            form = found
            let inputs = ".//input | .//select | .//textarea | .//button"
            for node in try form.nodes(try HTMLPath(inputs)).prefix(Self.mostFields) {
                guard let name = node.attribute("name"), !name.isEmpty else { continue }
                fields += try values(of: node, wanted[name]).map { (name, $0) }
            }
        } catch let fault as FeedFault {
            throw fault
        } catch {
            throw FeedFault("the form can't be read: \(error)", path: path)
        }
        let known = Set(fields.map(\.0))
        if let missing = wanted.keys.sorted().first(where: { !known.contains($0) }) {
            throw FeedFault("the form has no field \(missing)", path: path)
        }
        let text = fields.map {
            "\(WebAddress.escaped($0.0))=\(WebAddress.escaped($0.1))"
        }.joined(separator: "&")
        let isPost = form.attribute("method")?.lowercased() == "post"
        guard
            let address = WebAddress.joined(
                form.attribute("action") ?? "", to: feed.address, query: isPost ? nil : text)
        else { throw FeedFault("the form's address can't be read", path: path) }
        guard !isPost || WebAddress.haveOneServer(address, feed.address) else {
            throw FeedFault("the form would be sent to another server than the feed's", path: path)
        }
        return Filled(isPost: isPost, address: address, fields: text)
    }

    /// The values that a field sends.
    private static func values(of node: HTMLNode, _ wanted: [String]?) throws -> [String] {
        switch node.name {
        case "select":
            let options = try node.nodes(try HTMLPath(".//option"))
            let named = try options.map { option in
                let text = try option.text()
                return (option.attribute("value") ?? text, text, option)
            }
            if let wanted {
                return try wanted.map { value in
                    guard let option = named.first(where: { $0.0 == value || $0.1 == value })
                    else { throw FeedFault("the form has no choice \(tidied(value, atMost: 80))") }
                    return option.0
                }
            }
            let isMany = node.attribute("multiple") != nil
            let selected = named.filter { $0.2.attribute("selected") != nil }.map(\.0)
            return selected.isEmpty && !isMany ? Array(named.map(\.0).prefix(1)) : selected
        case "textarea": return try wanted ?? [node.text()]
        default:
            let value = node.attribute("value")
            switch (node.attribute("type") ?? "text").lowercased() {
            case "radio", "checkbox":
                let value = value ?? "on"
                let isChosen = wanted?.contains(value) ?? (node.attribute("checked") != nil)
                return isChosen ? [value] : []
            case "submit": return [value ?? ""]
            case "reset", "button", "image", "file": return []
            default: return wanted ?? [value ?? ""]
            }
        }
    }
}
