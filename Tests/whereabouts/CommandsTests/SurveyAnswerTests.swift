import Testing
import Wire

@testable import Commands

@Suite("An answer to surveys that are imported") struct SurveyAnswerTests {
    @Test("Surveys that come before their site is known are sent again, and others are refused")
    func kinds() throws {
        let body = """
            {"accepted": 2, "rejected": [
                {"index": 0, "code": "site-unknown", "detail": ""},
                {"index": 1, "code": "place-unknown", "detail": ""},
                {"index": 4, "code": "quota-exceeded", "detail": ""}]}
            """
        let answer = try SurveyAnswer(json: Array(body.utf8))
        #expect(answer.accepted == 2)
        #expect(answer.mayPass.map(\.index) == [0, 4])
        #expect(answer.refused.map(\.index) == [1])
    }

    @Test("An answer without refusals has none")
    func none() throws {
        let answer = try SurveyAnswer(json: Array(#"{"accepted":200,"rejected":[]}"#.utf8))
        #expect(answer.accepted == 200 && answer.mayPass.isEmpty && answer.refused.isEmpty)
    }
}
