import Geometry

/// An entity of a DXF file as its pairs.
struct DrawingEntity {
    let kind: String
    var pairs: [DrawingPairs.Pair] = []

    func number(_ code: Int) -> Double? { pairs.first { $0.code == code }?.number }
    func integer(_ code: Int) -> Int? { pairs.first { $0.code == code }?.integer }
    func bytes(_ code: Int) -> ArraySlice<UInt8> { pairs.first { $0.code == code }?.value ?? [] }

    func point(_ x: Int, _ y: Int) -> Point? {
        guard let x = number(x), let y = number(y) else { return nil }
        return Point(x: x, y: y)
    }

    /// Whether it is on a sheet, not in the building.
    var isOnSheet: Bool { integer(67) == 1 }

    /// Whether its plane is seen from behind.
    var isMirrored: Bool { number(230) ?? 1 < 0 }

    private func placed(_ points: [Point]) -> [Point] {
        isMirrored ? points.map { DrawingTransform.mirrored($0) } : points
    }

    // MARK: Lines

    /// The line of a `LINE`, `ARC`, `CIRCLE` or `LWPOLYLINE`; nil for others.
    var line: DrawingShape.Content? {
        switch kind {
        case "LINE":
            guard let start = point(10, 20), let end = point(11, 21) else { return nil }
            return .line([start, end], isClosed: false)
        case "CIRCLE":
            guard let centre = point(10, 20), let radius = number(40), radius > 0 else {
                return nil
            }
            let points = DrawingArc.points(
                centre: centre, radius: radius, from: 0, sweep: 2 * .pi)
            return .line(placed(Array(points.dropLast())), isClosed: true)
        case "ARC":
            guard let centre = point(10, 20), let radius = number(40), radius > 0,
                let start = number(50), let end = number(51)
            else { return nil }
            var sweep = (end - start).truncatingRemainder(dividingBy: 360)
            if sweep <= 0 { sweep += 360 }
            let points = DrawingArc.points(
                centre: centre, radius: radius, from: start * .pi / 180, sweep: sweep * .pi / 180)
            return .line(placed(points), isClosed: false)
        case "LWPOLYLINE": return polyline(vertices, isClosed: (integer(70) ?? 0) & 1 == 1)
        default: return nil
        }
    }

    typealias Vertex = (point: Point, bulge: Double)

    /// The vertices of a `LWPOLYLINE`: each begins with its x.
    private var vertices: [Vertex] {
        var vertices: [Vertex] = []
        for pair in pairs {
            guard let number = pair.number else { continue }
            switch pair.code {
            case 10: vertices.append((Point(x: number, y: 0), 0))
            case 20 where !vertices.isEmpty: vertices[vertices.count - 1].point.y = number
            case 42 where !vertices.isEmpty: vertices[vertices.count - 1].bulge = number
            default: break
            }
        }
        return vertices
    }

    /// A polyline of these vertices. One that ends where it began is closed.
    func polyline(_ vertices: [Vertex], isClosed: Bool) -> DrawingShape.Content? {
        guard let first = vertices.first, vertices.count > 1 else { return nil }
        var points = [first.point]
        for (vertex, next) in zip(vertices, vertices.dropFirst()) {
            points += DrawingArc.points(from: vertex.point, to: next.point, bulge: vertex.bulge)
        }
        if isClosed, let last = vertices.last {
            points += DrawingArc.points(from: last.point, to: first.point, bulge: last.bulge)
        }
        let returns = points.count > 3 && points.first == points.last
        if returns { points.removeLast() }
        return .line(placed(points), isClosed: isClosed && points.count > 2 || returns)
    }

    // MARK: Texts and blocks

    func text(_ reader: DrawingText) -> DrawingShape.Content? {
        switch kind {
        case "TEXT", "ATTRIB":
            let isAligned = (integer(72) ?? 0) != 0 || (integer(73) ?? integer(74) ?? 0) != 0
            guard (integer(70) ?? 0) & 1 == 0 || kind == "TEXT",
                let point = isAligned
                    ? self.point(11, 21) ?? self.point(10, 20) : self.point(10, 20)
            else { return nil }
            let middle = isAligned ? 0 : (number(40) ?? 0) / 2
            let text = reader.plain(bytes(1))
            return .text(text, at: placed([Point(x: point.x, y: point.y + middle)])[0])
        case "MTEXT":
            guard let point = point(10, 20) else { return nil }
            let chunks = pairs.filter { $0.code == 3 || $0.code == 1 }.flatMap(\.value)
            // Above or below its point, by the corner that the point stands for.
            let half = (number(40) ?? 0) / 2
            let row = ((integer(71) ?? 1) &- 1) / 3
            return .text(
                reader.formatted(chunks[...]),
                at: Point(x: point.x, y: point.y + (row == 0 ? -half : row == 2 ? half : 0)))
        default: return nil
        }
    }

    /// The transforms of an `INSERT`: several for rows and columns.
    ///
    /// - Parameter base: the point of the block that is put there.
    func transforms(base: Point) -> [DrawingTransform] {
        guard let point = point(10, 20) else { return [] }
        let turn = DrawingTransform.turned(number(50) ?? 0)
        let size = DrawingTransform.scaled(number(41) ?? 1, number(42) ?? 1)
        let start = DrawingTransform.moved(-base.x, -base.y)
        let columns = min(max(integer(70) ?? 1, 1), 1_000)
        let rows = min(max(integer(71) ?? 1, 1), 1_000)
        var transforms: [DrawingTransform] = []
        for row in 0..<rows {
            for column in 0..<columns where transforms.count < DrawingFile.mostParts {
                let step = DrawingTransform.moved(
                    Double(column) * (number(44) ?? 0), Double(row) * (number(45) ?? 0))
                var all = DrawingTransform.moved(point.x, point.y).after(turn).after(step)
                all = all.after(size).after(start)
                transforms.append(isMirrored ? DrawingTransform.mirrored.after(all) : all)
            }
        }
        return transforms
    }
}
