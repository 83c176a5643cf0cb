/// Keys of associations, with the singular that GRDB makes of each.
enum GRDBSingulars {
    static let pairs = text.split(whereSeparator: \.isWhitespace).map { pair in
        pair.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    }

    private static let text = """
        Access:Access Arches:Arch BookTags:BookTag Bureaux:Bureaux CACTUS:CACTU CHILLI:CHILLI
        COWS:COW Crass:Crass Dittoes:Ditto ERSATZ:ERSATZ Erection:Erection GOOF:GOOF Gnash:Gnash
        HEMOPHILIA:HEMOPHILIum IDs:ID INGRESSES:INGRESS Ideas:Idea Lenses:Lens MEDIA:MEDIum MIX:MIX
        Museum:Museum NIGHTLIFE:NIGHTLIFE OAFISH:OAFISH Outfoxes:Outfox PORTICOES:PORTICO
        PORTMANTEAUX:PORTMANTEAUX PRIMITIVES:PRIMITIVE Penknife:Penknife Police:Police RUCKUS:RUCKU
        Rouse:Rouse SHEEPISH:SHEEPISH SOMEBODIES:SOMEBODy STATUSES:STATUS SURVEY:SURVEY Swami:Swami
        Synopsis:Synopsis TRANSFIXES:TRANSFIX WIVES:WIfe Xxiii:Xxiii Yachtsmen:Yachtsman a:a
        abscissae:abscissae access:access acrimonious:acrimoniou address3:address3 address:address
        addresses:address adieux:adieux agenda:agenda album:album alias1:alias1 alias:alias
        aliases:alias allegation:allegation aloha:aloha aloof:aloof alto:alto alumni:alumni
        alumnus:alumnu analyses10:analysis10 analyzes:analyze annex:annex antiaircraft:antiaircraft
        apologia:apologium appendix:appendix apportion:apportion apropos:apropo arches:arch
        area:area areas:area armadillos:armadillo aurae:aurae author:author authors3:author3
        authors:author automation:automation avarice:avarice aviatrixes:aviatrix axes:axis
        axis:axis backhoes:backho bacteria:bacterium bacterium:bacterium banjos:banjo
        bargains10:bargain10 bargains:bargain bases:basis basis:basis bassoon:bassoon
        bathhouse:bathhouse beaux:beaux belief:belief benefice:benefice birdies:birdy
        bleaches:bleach boatman:boatman book:book bovines:bovine box:box boxes:box boys:boy
        brakemen2:brakeman2 brakemen:brakeman bronchitis:bronchiti bureaus:bureau bureaux3:bureaux3
        bureaux:bureaux buries:bury bus:bus buses:bus business:business businesses1:business1
        butches:butch butteries:buttery cache:cache cacti:cacti cactus:cactu cadenza:cadenza
        calf1:calf1 calf:calf calves:calf cambium:cambium camera:camera cancers:cancer
        cannibalizes:cannibalize cappuccino:cappuccino cargoes:cargo carsickness:carsickness
        catalysis:catalysi categories:category cattleman:cattleman cave1:cave1 cave:cave
        ceaseless:ceaseless centralizes:centralize cervix:cervix chafe:chafe chairwomen:chairwoman
        chalice:chalice chamoix1:chamoix1 chamoix:chamoix chases:chase chickenpox:chickenpox
        chief:chief chiefs:chief child:child chilli:chilli chrysalis:chrysali church:church
        churches:church churchmen1:churchman1 churchmen:churchman cicadae:cicadae
        circulation:circulation cities:city class:class classes:class clef:clef clitoris:clitori
        clix2:clix2 clix:clix clvii:clvii coccyx:coccyx cockades:cockade colossally:colossally
        companies:company company:company complex:complex composes:compose conserves:conserf
        consortium:consortium convex:convex cookeries2:cookery2 cookeries:cookery cookie:cookie
        cookies:cooky corpus:corpu costumes:costume countless:countless countries:country
        country:country courthouse1:courthouse1 cow:cow cows:cow craft2:craft2 craft:craft
        crass:crass crazes:craze crises:crisis criterion:criterion crufty:crufty
        crystallizes:crystallize curio:curio curriculum:curriculum curve10:curve10
        cuttlefish:cuttlefish cyclamen:cyclaman dashes:dash database:database databases:database
        datum:datum decaf:decaf deer:deer delves2:delf2 delves:delf depraves:deprafe
        derogation:derogation desiderata:desideratum detoxes:detox dhotis:dhoti dishes:dish
        dissects:dissect dissolves10:dissolf10 dodo:dodo duchess2:duchess2 duplex:duplex
        dwarfish:dwarfish earaches:earach echo:echo echoes:echo ellipse:ellipse emphasis:emphasi
        encyclopedia3:encyclopedium3 endives:endife enlighten:enlighten entrench:entrench
        epidermis:epidermi era:era erection:erection errata:erratum eucalyptus:eucalyptu
        executives:executive exes:ex factotum:factotum fasten:fasten felicities3:felicity3
        fizz:fizz flatfish:flatfish flex:flex flourishes:flourish focus:focus formula1:formula1
        formulae:formulae fortissimo:fortissimo forum:forum fox:fox foxes:fox fungi:fungi
        fungus:fungu gas:gas gauchos:gaucho gazebos:gazebo geese:geese generalizes10:generalize10
        genus:genu geocaches3:geocach3 geocaches:geocach germans:german ghoulish:ghoulish
        gigahertz:gigahertz glitz:glitz glove:glove gnash:gnash goddesses:goddess golf:golf
        goof:goof goose:goose grove:grove gushes:gush hacienda:hacienda haemophilia:haemophilium
        half:half haloes1:halo1 handicraft:handicraft hashish:hashish hemophilia:hemophilium
        herpes:herpe hertz:hertz hiatuses:hiatuse hitherto:hitherto hoaxes:hoax
        holography:holography homeAddresses:homeAddress homeBashes:homeBash homeBeliefs:homeBelief
        homeBox:homeBox homeBureaux:homeBureaux homeBuses:homeBus homeCity:homeCity
        homeCookies:homeCooky homeCrazes:homeCraze homeEucalyptus:homeEucalyptu
        homeFasten:homeFasten homeFizz:homeFizz homeFoetuses:homeFoetuse homeHacienda:homeHacienda
        homeHaemophilia:homeHaemophilium homeHuman:homeHuman homeIngresses:homeIngress
        homeKey:homeKey homeLaundrymen:homeLaundryman homeLeaves:homeLeaf homeLice:homeLouse
        homeMania:homeManium homeNerves:homeNerf homeNightlife:homeNightlife homeNimbus:homeNimbus
        homeNostalgia:homeNostalgium homeOxen:homeOx homeParaplegia:homeParaplegium
        homePharynx:homePharynx homePiano:homePiano homePis:homePi homePlayers:homePlayer
        homePurgatories:homePurgatory homeRadios:homeRadio homeRice:homeRice
        homeSheepish:homeSheepish homeStatus:homeStatus homeSweeps:homeSweep homeTeams:homeTeam
        homeTriumvirates:homeTriumvirate homeVetoes:homeVeto homeWineries:homeWinery
        homeWitchcraft:homeWitchcraft homeXxxix:homeXxxix homesickness10:homesickness10
        horseradish:horseradish house:house human:human humans:human hypnosis:hypnosi
        hypothesis:hypothesis icebox:icebox id:id idea:idea ideas:idea ids:id indices10:index10
        indices:index ingresses:ingress intrench:intrench jellyfish:jellyfish joshes:josh
        journey10:journey10 journey:journey journeymen:journeyman journeys:journey kazoos10:kazoo10
        kazoos:kazoo key:key keypunches:keypunch kiss:kiss kisses:kiss knife:knife knives:knife
        larva10:larva10 larvae:larvae lash:lash lassoes:lasso latex:latex launch:launch
        laundrymen:laundryman leaf:leaf legalese:legalese lens:lens lenses:lens lice:louse
        life:life lithium:lithium lives:life lix:lix loaf1:loaf1 loaf:loaf loaves:loafe
        madwoman:madwoman malicious:maliciou man:man manganese:manganese manifestos:manifesto
        marksmen:marksman marsh:marsh materializes:materialize matrices:matrix matrix:matrix
        medium:medium megahertz:megahertz megahertzes10:megahertze10 megahertzes:megahertze
        merchandises:merchandise metadata:metadatum metastasis:metastasi mice:mouse
        mishmashes:mishmash missteps1:misstep1 missteps:misstep mix:mix mongeese:mongeese
        monkeys:monkey monstrances:monstrance mouse:mouse move:move moves:move movie:movie
        movies3:movie3 movies:movie multiplexes:multiplex museum:museum narcosis:narcosi
        nebulae:nebulae necessities:necessity neophilia10:neophilium10 neophilia:neophilium
        nerves:nerf neurosis1:neurosi1 news:news nice:nice niggaz:niggaz nightlife:nightlife
        nostalgia:nostalgium notionally:notionally obese:obese ocarina:ocarina octopus:octopus
        offhandedly:offhandedly old_automation:old_automation old_chrysalis:old_chrysali
        old_deer:old_deer old_errata:old_erratum old_foot:old_foot old_gigahertz:old_gigahertz
        old_herpes:old_herpe old_manifestos:old_manifesto old_merchandises:old_merchandise
        old_nimbus:old_nimbus old_nostalgia:old_nostalgium old_plateaux:old_plateaux
        old_radius:old_radiu old_sanitarium:old_sanitarium old_videotex:old_videotex
        old_waves:old_wafe osmosis1:osmosi1 osmosis:osmosi osteoporosis:osteoporosi outfoxes:outfox
        outspokenly:outspokenly ovation:ovation oven:oven ox:ox oxen:ox panda:panda
        paralyzes:paralyze parenthesis:parenthesis passes:pass patches:patch patinae:patinae
        payoff:payoff penknife:penknife penthouse:penthouse people:person periphrasis:periphrasi
        person:person pharynx2:pharynx2 pharynx:pharynx phenomena:phenomena photo:photo
        photos:photo piano:piano pianos:piano pilothouse:pilothouse pintos:pinto pitchmen:pitchman
        placentae:placentae planetarium:planetarium plateaux:plateaux platypus:platypu
        player:player player_s:player_ players:player plectrum:plectrum pocketknife:pocketknife
        polonium:polonium portmanteaux10:portmanteaux10 portmanteaux:portmanteaux postman:postman
        potassium:potassium potatoes3:potato3 potatoes:potato poxes:pox premium:premium
        pressurizes:pressurize primitives:primitive processes:process prolix:prolix
        promiscuous:promiscuou proportion:proportion purgatories:purgatory quiz:quiz quizzes:quiz
        radii:radii radios:radio radium:radium radius:radiu rakish:rakish reach:reach redoes:redo
        reef:reef referendum:referendum refiles:refile reflexes:reflex reis:rei repairmen:repairman
        reproach:reproach restores:restore retribution:retribution revelation:revelation
        rhodium:rhodium rhombi:rhombi rice:rice rife:rife roaches3:roach3 roaches:roach roman:roman
        romans10:roman10 roofs:roof roundhouse:roundhouse ruckus:rucku ruminates:ruminate s1:1 s:
        safe:safe saki:saki salmonellae:salmonellae scarves:scarf schema:schema schemas1:schema1
        schemas:schema schmaltz:schmaltz schmalz:schmalz schoolhouse:schoolhouse
        selectman2:selectman2 selectman:selectman self:self selves:self series:series sex:sex
        sexes:sex shakiness:shakiness sharia:sharium shelf3:shelf3 shelf:shelf shelves:shelf
        shoddy:shoddy shoe:shoe shoes:shoe sicken:sicken sieve:sieve simpatico:simpatico
        simplex:simplex smooch:smooch snitches:snitch solarium:solarium solemnizes2:solemnize2
        solemnizes:solemnize somebodies:somebody sordidness:sordidness souse:souse soya:soya
        spacemen:spaceman species:species spouse:spouse springiness:springiness spritz:spritz
        spumoni:spumoni squelch10:squelch10 squelch:squelch stagecoaches:stagecoach
        statehouses:statehouse statesman:statesman status:status statuses:status stigma:stigma
        stimulus:stimulu story:story strife:strife summerhouse2:summerhouse2
        summerhouse:summerhouse sunfish:sunfish surveys:survey swami:swami sweeps:sweep
        symposium:symposium synopsis:synopsis talisman:talisman tarantulae:tarantulae tax3:tax3
        tax:tax taxes:tax team:team teams1:team1 teams:team terrarium3:terrarium3
        terrarium:terrarium thermos1:thermo1 thermos:thermo these:these theses:thesis thief:thief
        thieves:thiefe thievish:thievish tomato:tomato tornadoes3:tornado3 tornadoes:tornado
        transphobia:transphobium treasuries:treasury triumvirates:triumvirate trousseaux:trousseaux
        unsafe:unsafe unselfish:unselfish urls:url vainglorious:vaingloriou vanish:vanish
        vertex:vertex vertices:vertex vetoes:veto video:video videos:video videotex:videotex
        viragoes:virago virus:virus viruses:viruse viscus:viscu visualizes:visualize voice3:voice3
        voice:voice vortex:vortex watch:watch watercraft:watercraft waves:wafe whitefish:whitefish
        whitish:whitish whizz:whizz whorehouse:whorehouse wildlife:wildlife wineries:winery
        witchcraft:witchcraft wives:wife wolfish:wolfish wolves:wolf woman10:woman10 woman:woman
        woodsman:woodsman workmen:workman wretch:wretch x2:x2 xcix:xcix xix:xix xxiii:xxiii
        xxix:xxix xxxix:xxxix yogi:yogi zilch:zilch zirconium:zirconium zombis:zombi zoo:zoo
        zoos:zoo été:été étés:été 名前:名前
        """
}
