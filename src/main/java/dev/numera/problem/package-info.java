/**
 * The kinds of refusal, for HTTP, queue and batches alike. A new problem type goes into
 * {@link dev.numera.problem.ProblemType}; who refuses throws a {@link dev.numera.problem.ProblemException}, and for bad
 * input makes it with {@link dev.numera.problem.InvalidRequest}.
 *
 * <p>Depends on no other room.
 */
package dev.numera.problem;
