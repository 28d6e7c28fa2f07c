package dev.numera.localhost;

import java.util.ArrayList;
import java.util.List;

/** The path of a request as the host routes it: decoded once, dot segments removed, one trailing slash ignored. */
record RequestPath(List<String> segments) {
    static RequestPath of(String rawPath) {
        List<String> segments = new ArrayList<>(8);
        int start = 1;
        while (start < rawPath.length()) {
            int end = rawPath.indexOf('/', start);
            end = end < 0 ? rawPath.length() : end;
            add(PercentEncoding.decodeSegment(rawPath.substring(start, end)), segments);
            start = end + 1;
        }
        return new RequestPath(segments);
    }

    private static void add(String segment, List<String> segments) {
        switch (segment) {
            case "." -> {}
            case ".." -> {
                if (!segments.isEmpty()) {
                    segments.remove(segments.size() - 1);
                }
            }
            default -> segments.add(segment);
        }
    }
}
