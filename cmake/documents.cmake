# Writes into OUTPUT what TILELAB says of itself: compressed manual pages in man1/ and man5/, completions for shells, and the changelog
# and copyright files that a Debian package must have. An empty file, OUTPUT/made, comes last.
function(tilelab_prints file)
    execute_process(COMMAND ${TILELAB} ${ARGN} OUTPUT_FILE ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
function(compress file)
    execute_process(COMMAND gzip -9 -n -f ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${OUTPUT})
file(MAKE_DIRECTORY ${OUTPUT}/man1 ${OUTPUT}/man5)
execute_process(COMMAND ${TILELAB} list commands --names OUTPUT_VARIABLE commands COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" commands "${commands}")
tilelab_prints(${OUTPUT}/man1/tilelab.1 help --man)
compress(${OUTPUT}/man1/tilelab.1)
foreach(command ${commands})
    tilelab_prints(${OUTPUT}/man1/tilelab-${command}.1 help --man ${command})
    compress(${OUTPUT}/man1/tilelab-${command}.1)
endforeach()
tilelab_prints(${OUTPUT}/man5/tilelab-experiment.5 help --man experiment)
compress(${OUTPUT}/man5/tilelab-experiment.5)
tilelab_prints(${OUTPUT}/tilelab.bash help --completion bash)
tilelab_prints(${OUTPUT}/_tilelab help --completion zsh)
tilelab_prints(${OUTPUT}/tilelab.fish help --completion fish)
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${OUTPUT}/changelog "tilelab (${VERSION}) unstable; urgency=medium

  * What changed is in CHANGELOG.md beside this file.

 -- The tilelab developers <tilelab@example.org>  ${now}
")
compress(${OUTPUT}/changelog)
file(WRITE ${OUTPUT}/copyright "tilelab: a laboratory for heuristic search on sliding-tile puzzles
Copyright (C) 2026 the tilelab developers

This program is free software: you can redistribute it and/or modify it under the terms of the GNU General Public
License as published by the Free Software Foundation, either version 3 of the License, or (at your option) any later
version. It comes without any warranty. On Debian systems the full text of the licence is in
/usr/share/common-licenses/GPL-3.

Reports contain modules of d3 (harness/report/page/d3.min.js), which are
Copyright 2010-2026 Mike Bostock, under the ISC licence, and d3-ease, which is
Copyright 2010-2026 Mike Bostock and 2001 Robert Penner, under the BSD 3-clause licence.
The head of that file, which each report holds, has both licences in full.

The instance sets name their sources in their first lines.
")
file(TOUCH ${OUTPUT}/made)
