import JSON
import Wire

/// An answer to a batch of surveys.
struct SurveyAnswer {
    let accepted: Int
    /// Surveys that are refused now, and may be accepted if the same batch is sent again.
    let mayPass: [BatchReply.Rejection]
    /// Surveys that are refused for good.
    let refused: [BatchReply.Rejection]

    init(json body: [UInt8]) throws {
        accepted = try JSONParser.read(body) { root in root.object?["accepted"]?.int ?? 0 }
        let rejections = BatchReply(json: body).rejections ?? []
        // scan-ingest may read a new site from the log while it reads the batch.
        let isPassing = { (rejection: BatchReply.Rejection) in
            rejection.mayPass || rejection.code == ProblemCode.siteUnknown.text
        }
        mayPass = rejections.filter(isPassing)
        refused = rejections.filter { !isPassing($0) }
    }
}
