/**
 * The scenarios that run for long and fail if anything grows: {@code soak}, {@code client-soak}.
 */
@NullMarked
package org.svcmailbox.bench.soak;

import org.jspecify.annotations.NullMarked;
