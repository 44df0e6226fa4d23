import HTTP
import ServiceHost
import Wire

/// The outcome of the scans or sightings of one request.
struct SentBatch: Sendable {
    private var acceptedCount = 0
    private var rejections: [(index: Int, problem: Problem)] = []
    var notice: BatchAnswer.Notice?
    /// The headers about the sender's quota, where too little of it was left.
    private var headers: [(name: String, value: String)] = []

    var rejectedCount: Int { rejections.count }

    /// Judges each object of the body for which the sender has a quota left.
    mutating func judge<Element>(
        _ outcomes: [Result<Element, RejectedScan>], of request: HTTPRequest, _ caller: Caller,
        _ accept: (Element) throws(Problem) -> Void
    ) {
        let quota = caller.sendingQuota
        let granted =
            request.allowance?.spendRecords(outcomes.count, quota: quota) ?? outcomes.count
        var wait: Int?
        if granted < outcomes.count, let allowance = request.allowance, let quota {
            headers = allowance.left(of: quota).headers
            let seconds = allowance.secondsUntil(records: outcomes.count - granted, quota: quota)
            headers.append(("retry-after", String(seconds)))
            wait = seconds
        }
        for (index, outcome) in outcomes.enumerated() {
            do throws(Problem) {
                guard index < granted else {
                    throw Problem(
                        .quotaExceeded, Self.over(quota), retryAfterSeconds: wait)
                }
                switch outcome {
                case .failure(let fault): throw Problem(fault.fault)
                case .success(let element): try accept(element)
                }
                acceptedCount += 1
            } catch {
                rejections.append((index, error))
            }
        }
    }

    private static func over(_ quota: Quota?) -> String {
        let limit = quota.map { "; it may send \($0.recordsInWords)" } ?? ""
        return "This token has sent too many records\(limit)."
    }

    /// 202 when anything was accepted; else the status that all rejections share, or 400.
    var response: HTTPResponse {
        if acceptedCount == 1, rejections.isEmpty, notice == nil { return Self.oneAccepted }
        guard acceptedCount == 0, let first = rejections.first?.problem else {
            var response = HTTPResponse.json(answer.json(), status: 202)
            response.headers += headers
            return response
        }
        let isShared = rejections.allSatisfy { $0.problem.status == first.status }
        let status = isShared ? first.status : 400
        let wait = isShared ? first.retryAfterSeconds : nil
        let type = [(name: "content-type", value: "application/problem+json")]
        let retry = wait.map { [(name: "retry-after", value: String($0))] } ?? []
        return HTTPResponse(
            status: status, headers: type + (headers.isEmpty ? retry : headers),
            body: .bytes(answer.json(status: status)))
    }

    private static let oneAccepted = HTTPResponse.json(
        Array(#"{"accepted":1,"rejected":[]}"#.utf8), status: 202
    ).madeReady()

    private var answer: BatchAnswer {
        BatchAnswer(
            acceptedCount: acceptedCount,
            rejections: rejections.map {
                .init(index: $0.index, code: $0.problem.code, detail: $0.problem.detail)
            }, notice: notice)
    }
}
