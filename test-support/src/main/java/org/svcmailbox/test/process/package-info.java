/** Processes under test. None of them outlives the JVM of the tests. */
@NullMarked
package org.svcmailbox.test.process;

import org.jspecify.annotations.NullMarked;
