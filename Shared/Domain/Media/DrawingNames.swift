/// The SVG names that only draw: SVG 1.1 (second edition) and SVG 2 without scripts, animation,
/// foreign objects and event handlers. CSS functions that load nothing are here too.
enum DrawingNames {
    static let svg = "http://www.w3.org/2000/svg"
    static let xlink = "http://www.w3.org/1999/xlink"
    static let xml = "http://www.w3.org/XML/1998/namespace"

    /// Namespaces in which drawing programs store notes about the file; browsers draw nothing of
    /// them.
    static let noteSpaces: Set<String> = [
        "http://www.inkscape.org/namespaces/inkscape",
        "http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd",
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "http://creativecommons.org/ns#",
        "http://web.resource.org/cc/", "http://purl.org/dc/elements/1.1/",
        "http://www.bohemiancoding.com/sketch/ns", "http://www.serif.com/",
        "http://ns.adobe.com/AdobeIllustrator/10.0/", "http://vectornator.io",
        "https://boxy-svg.com",
    ]

    static let elements = words(
        """
        svg g defs symbol use a switch title desc metadata view style
        path rect circle ellipse line polyline polygon text tspan textPath image marker
        linearGradient radialGradient stop pattern clipPath mask
        filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix
        feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB
        feFuncG feFuncR
        feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight
        feSpecularLighting feSpotLight feTile feTurbulence
        """)

    static let linkAttributes: Set<String> = ["href", "type", "title", "role", "show", "actuate"]

    static func isAttribute(_ name: String) -> Bool {
        attributes.contains(name) || name.hasPrefix("data-") || name.hasPrefix("aria-")
    }

    /// Attributes with free text or identifiers. Their values are no styles and are not checked as
    /// such.
    static let wordAttributes = words(
        """
        id class lang role title d points version baseProfile viewBox media type values in in2
        result
        """)

    /// CSS functions of colour, transformation and number. `url` is checked separately.
    static let functions = words(
        """
        rgb rgba hsl hsla matrix translate translatex translatey scale scalex scaley rotate skewx
        skewy matrix3d translate3d rotate3d calc min max clamp var attr not nth-child nth-of-type
        blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia
        polygon circle ellipse inset path and min-width max-width format local
        """)

    private static let attributes =
        wordAttributes.union(
            words(
                """
                x y x1 x2 y1 y2 z cx cy r rx ry fx fy fr dx dy width height pathLength rotate
                textLength lengthAdjust preserveAspectRatio transform gradientTransform
                patternTransform gradientUnits patternUnits patternContentUnits clipPathUnits
                maskUnits maskContentUnits markerUnits markerWidth markerHeight refX refY orient
                offset spreadMethod startOffset method spacing side style tabindex
                externalResourcesRequired xml requiredFeatures requiredExtensions systemLanguage
                contentScriptType contentStyleType zoomAndPan target download rel hreflang nonce
                enable-background crossorigin decoding
                filterUnits primitiveUnits stdDeviation mode operator k1 k2 k3 k4 order kernelMatrix
                divisor bias targetX targetY edgeMode preserveAlpha surfaceScale diffuseConstant
                specularConstant specularExponent kernelUnitLength scale xChannelSelector
                yChannelSelector azimuth elevation limitingConeAngle pointsAtX pointsAtY pointsAtZ
                radius baseFrequency numOctaves seed stitchTiles tableValues slope intercept
                amplitude exponent filterRes
                alignment-baseline baseline-shift clip clip-path clip-rule color
                color-interpolation color-interpolation-filters color-profile color-rendering cursor
                direction display dominant-baseline fill fill-opacity fill-rule filter flood-color
                flood-opacity font font-family font-feature-settings font-size font-size-adjust
                font-stretch font-style font-variant font-weight glyph-orientation-horizontal
                glyph-orientation-vertical image-rendering isolation kerning letter-spacing
                lighting-color line-height marker marker-end marker-mid marker-start mask mask-type
                mix-blend-mode opacity overflow paint-order pointer-events shape-rendering
                solid-color solid-opacity stop-color stop-opacity stroke stroke-dasharray
                stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity
                stroke-width text-align text-anchor text-decoration text-indent text-overflow
                text-rendering transform-origin unicode-bidi vector-effect visibility white-space
                word-spacing writing-mode
                """))

    private static func words(_ text: String) -> Set<String> {
        Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
    }
}
