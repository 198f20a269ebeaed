/** The scenarios that fill the server: {@code backlog}, {@code topics}, {@code overload}. */
@NullMarked
package org.svcmailbox.bench.capacity;

import org.jspecify.annotations.NullMarked;
