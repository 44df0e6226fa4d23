import Accuracy
import Events
import Smoothing

extension AccuracyRun {
    /// A path of one part of the data set.
    private struct PathKey: Hashable {
        var part: String
        var path: String?
    }

    /// The result of tracks, with each position smoothed by those of its path shortly before and
    /// after it.
    ///
    /// - Parameter result: a run of tracks gave it.
    public func smoothed(_ result: Result) -> Result {
        let smoother = PositionSmoother()
        let paths = Dictionary(grouping: result.predictions) {
            PathKey(part: $0.part, path: $0.test.path)
        }.mapValues { $0.map(\.position) }
        let name = "\(result.positioner) smoothed"
        var judged: [JudgedEstimate] = []
        var predictions: [Prediction] = []
        for (prediction, before) in zip(result.predictions, result.judged) {
            let key = PathKey(part: prediction.part, path: prediction.test.path)
            var position = smoother.smoothed(prediction.position, among: paths[key] ?? [])
            position.positioner = name
            let compared = judge(
                prediction.test, position, fallback: before.fallback,
                learned: before.learnedRadius95)
            judged.append(compared)
            predictions.append(
                Prediction(
                    part: prediction.part, test: prediction.test, position: position,
                    error: position.state == .lost ? nil : error(of: compared)))
        }
        return Result(
            positioner: name,
            summary: AccuracySummary(
                judged, groundPerReportedMetre: dataset.groundPerReportedMetre),
            judged: judged, predictions: predictions)
    }
}
