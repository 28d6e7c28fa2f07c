package dev.numera.core.model;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.numera.core.format.FormatContext;
import dev.numera.core.format.Revision;
import dev.numera.core.problem.ProblemException;
import dev.numera.core.problem.ProblemType;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RevisionsTest {
    private static final LocalDate TODAY = LocalDate.of(2026, 11, 21);
    private static final SequenceName NAME = new SequenceName("1234", "order");

    @ParameterizedTest
    @CsvSource({
        // Literals
        "INV-{n},               1,    9999,   RE-{n},                1,    9999",
        "A-{n:4},               1,    9999,   B-{n:4},               1,    9999",
        "{n:4}-A,               1,    99999,  {n:4}-B,               1,    99999",
        "A{n:3},                1,    999,    {n:4},                 1,    9999",
        "{yyyy}-{n:4},          1,    9999,   {yyyy}/{n:4},          1,    9999",
        "{fy:2}/{n:4},          1,    9999,   {fy:2}-{n:4},          1,    9999",
        "{scope}{n:3},          1,    999,    5{n:6},                1,    999999",
        "{name}{n:3},           1,    999,    x{n:7},                1,    9999999",
        // Lengths
        "1{n:3},                1,    5,      {n:3},                 1,    999",
        "{n:6},                 1,    999999, {n:6}{check:damm},     1,    999999",
        "{yy}{n:2},             1,    99,     {yy}{MM}{n:2},         1,    99",
        "X{n:2},                100,  999,    X0{n:3},               100,  999",
        "1{n:2},                100,  999,    {n:3},                 1,    999",
        "{r:4},                 1,    9999,   {n:6},                 1,    9999",
        // Formats that differ only in the width
        "{n:4},                 1,    9999,   {n:6},                 1,    999999",
        "{n},                   -99,  99,     {n:3},                 -999, 999",
        "{n:4},                 1,    9999,   {n:4},                 1,    99999",
        "{yyyy}-{n}{check:luhn},1,    9999,   {yyyy}-{n:6}{check:luhn},1,  9999",
        "{scope}-{n},           1,    9999,   1234-{n:3},            1,    9999",
        "{scope:6}-{n},         1,    9999,   001234-{n:3},          1,    9999",
        // Minus signs
        "{n:3},                 -99,  -1,     {n:4},                 1,    9999",
        "-A{n},                 1,    99,     {n:4},                 -999, -1",
        "{n:2}{check:luhn},     -99,  -1,     1{n:3},                1,    999",
        // Check digits
        "A{n:4}{check:luhn},    1,    9999,   B{n:4}{check:luhn},    1,    9999",
        "{n:4}{check:luhn}-,    1,    9999,   {n:4}{check:luhn}+,    1,    9999",
    })
    void revisionsWithoutSharedTextsAreCompatible(
            String older, long olderLeast, long olderGreatest, String newer, long newerLeast, long newerGreatest) {
        Revision one = revision(older, olderLeast, olderGreatest);
        Revision other = revision(newer, newerLeast, newerGreatest);
        assertDoesNotThrow(() -> require(one, other));
        assertDoesNotThrow(() -> require(other, one));
    }

    @ParameterizedTest
    @CsvSource({
        "{r:4},                 1,    9999,   {n:4},                 1,    9999,   9998,  1, 9998",
        "{n:4},                 1,    9999,   {r:4},                 1,    9999,   0001,  1, 9998",
        "1{n:2},                1,    99,     {n:3},                 1,    999,    101,   1, 101",
        "1{n:3},                1,    5,      {n:3},                 1,    9999,   1001,  1, 1001",
        "{n}0,                  1,    99,     {n},                   1,    999,    10,    1, 10",
        "{yyyy}{n:4},           1,    9999,   {n:8},                 1,    99999999, 20260001, 1, 20260001",
        "{fy:2}{n:4},           1,    9999,   {n:6},                 1,    999999, 260001, 1, 260001",
        "{n:3}12,               1,    999,    {n:4}2,                1,    9999,   00112, 1, 11",
        "{n:4}77,               1,    9999,   1{n:5},                1,    99999,  100177, 1001, 177",
        "{n:2},                 -99,  -1,     -{n:2},                1,    99,     -99,   -99, 99",
        "{n:4}{check:luhn},     1,    9999,   {n:5},                 1,    99999,  00018, 1, 18",
        "{n:5},                 1,    99999,  {n:4}{check:damm},     1,    9999,   00013, 13, 1",
        "{scope}{n:2},          1,    99,     {n:6},                 1,    999999, 123401, 1, 123401",
        "{n:19},                -4000000000000000000, 4000000000000000000, 3{n:18}, 1, 4000000000000000000, "
                + "3000000000000000001, 3000000000000000001, 1",
    })
    void revisionsThatShareATextAreRefusedWithItsShape(
            String older,
            long olderLeast,
            long olderGreatest,
            String newer,
            long newerLeast,
            long newerGreatest,
            String text,
            long olderNumber,
            long newerNumber) {
        Revision one = revision(older, olderLeast, olderGreatest);
        Revision other = revision(newer, newerLeast, newerGreatest);
        ProblemException refusal = assertThrows(ProblemException.class, () -> require(one, other));
        assertEquals(ProblemType.TEXTS_COULD_REPEAT, refusal.type());
        assertEquals(List.of(older, newer), refusal.members().get("formats"));
        String shape = (String) refusal.members().get("shape");
        assertTrue(text.matches(shape.replace("#", "[0-9]").replace("?", ".")), shape);
        assertTrue(refusal.getMessage().contains("'" + shape + "'"), refusal.getMessage());
        assertEquals(text, text(one, olderNumber));
        assertEquals(text, text(other, newerNumber));
    }

    /**
     * The shared shapes are texts of the same number, or of no number at all. The rule compares only shapes, which is
     * fast and easy to explain.
     */
    @ParameterizedTest
    @CsvSource({
        "0{n:2},            1, 99,  {n:3},                1, 99,  0##",
        "{n:3},             5, 5,   0{n:2},               5, 9,   0##",
        "{n:4}{check:luhn}, 1, 99,  {n:4}{check:verhoeff},1, 99,  ####?",
        "{n:2}{check:luhn}, 1, 99,  {n:2}-,               1, 99,  ##-",
        "{n:2}{check:mod37-36}, 1, 99, {n:2}Z,            1, 99, ##Z",
        "7{n}{check:luhn}A, 1, 9,   7{n}{check:mod97},    1, 9,   7#?A",
    })
    void revisionsThatShareAShapeOnlyAreRefusedWithIt(
            String older,
            long olderLeast,
            long olderGreatest,
            String newer,
            long newerLeast,
            long newerGreatest,
            String shape) {
        ProblemException refusal = assertThrows(
                ProblemException.class,
                () -> require(revision(older, olderLeast, olderGreatest), revision(newer, newerLeast, newerGreatest)));
        assertEquals(List.of(older, newer), refusal.members().get("formats"));
        assertEquals(shape, refusal.members().get("shape"));
        assertTrue(refusal.getMessage().contains("'" + shape + "'"), refusal.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "{r:4}, 999, {r:4}, 999, true",
        "{r:4}, 999, {r:4}, 1000, false",
        "{r:4}, 999, {r:6}, 1000, true",
        "{r:4}, 999, {r:6}, 999, true",
        "{r:4}, 999, 9{r:3}, 999, false"
    })
    void aReversedNumberMeansAnotherWithAnotherMaxValue(
            String older, long olderMax, String newer, long newerMax, boolean allowed) {
        Revision one = new Revision(older, 1, 999, olderMax);
        Revision other = new Revision(newer, 1, 999, newerMax);
        if (allowed) {
            assertDoesNotThrow(() -> require(one, other));
        } else {
            assertThrows(ProblemException.class, () -> require(one, other));
        }
    }

    @Test
    void datesOfDifferentPeriodsAreDigitsAlike() {
        ProblemException refusal = assertThrows(
                ProblemException.class, () -> require(revision("{yy}{n:2}", 1, 99), revision("{n:2}{yy}", 1, 99)));
        assertEquals("####", refusal.members().get("shape"));
    }

    /** Older revisions were compared with each other when each of them was the current one. */
    @Test
    void thePresentRevisionIsComparedWithEveryOther() {
        Revision apart = revision("INV-{n}", 1, 9999);
        Revision one = revision("1{n:2}", 1, 99);
        Revision other = revision("{n:3}", 1, 999);
        assertDoesNotThrow(() -> require(apart, one));
        assertDoesNotThrow(() -> require(apart, other));
        for (List<Revision> all :
                List.of(List.of(one, other, apart), List.of(one, apart, other), List.of(apart, one, other))) {
            for (Revision present : List.of(one, other)) {
                FormatHistory returned = new FormatHistory(all, all.indexOf(present) + 1);
                ProblemException refusal = assertThrows(ProblemException.class, () -> require(returned));
                assertEquals(List.of("1{n:2}", "{n:3}"), refusal.members().get("formats"), "the older one first");
            }
        }
    }

    @Test
    void oneRevisionOrNoneIsAlwaysAllowed() {
        assertDoesNotThrow(() -> require());
        assertDoesNotThrow(() -> require(revision("{r:4}", 1, 9999)));
    }

    /** A template has no scope of its own and allocates no numbers. */
    @Test
    void aTemplateIsLeftAlone() {
        SequenceName template = new SequenceName(SequenceName.TEMPLATES, "order");
        FormatHistory formats =
                new FormatHistory(List.of(revision("{scope:6}{n:2}", 1, 99), revision("{n:8}", 1, 99)), 2);
        assertDoesNotThrow(() -> formats.requireDistinctTexts(template, Definition.DEFAULT));
    }

    /**
     * The most work that the comparison can have: prefixes that differ late, and every length of number. Measures CPU
     * time, so that other programs do not matter.
     */
    @Test
    void fiveHundredRevisionsAreComparedQuickly() {
        List<Revision> revisions = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            String prefix = "{yyyy}-{MM}-{dd}-" + "X".repeat(150) + (char) ('A' + i / 26) + (char) ('A' + i % 26) + "-";
            revisions.add(revision(prefix + "{n}{check:luhn}", -FormatContext.LIMIT, FormatContext.LIMIT));
        }
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        require(revisions.toArray(Revision[]::new));
        Duration taken = Duration.ofNanos(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before);
        assertTrue(taken.toMillis() < 2_000, () -> "Took " + taken + " of CPU time.");
    }

    private static void require(Revision... revisions) {
        require(new FormatHistory(List.of(revisions), revisions.length));
    }

    private static void require(FormatHistory formats) {
        formats.requireDistinctTexts(NAME, Definition.DEFAULT);
    }

    private static String text(Revision revision, long number) {
        FormatContext context = Definition.DEFAULT.formatContext(NAME).within(revision.least(), revision.maxValue());
        return revision.format().text(context, TODAY, number);
    }

    private static Revision revision(String format, long least, long greatest) {
        return new Revision(format, least, greatest, greatest);
    }
}
