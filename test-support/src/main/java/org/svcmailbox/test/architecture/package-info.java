/** Rules about a module's dependencies, and a way to show that such a rule can fail. */
@NullMarked
package org.svcmailbox.test.architecture;

import org.jspecify.annotations.NullMarked;
